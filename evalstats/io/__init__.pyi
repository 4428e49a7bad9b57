from evalstats.io.formats.format import Format as Format
from evalstats.io.formats.recognition import known_formats as known_formats
from evalstats.io.reader.battles import read_battles as read_battles
from evalstats.io.reader.predictions import read_predictions as read_predictions
from evalstats.io.reader.tables import read_table as read_table
