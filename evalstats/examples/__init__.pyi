from evalstats.examples.bundled import ExampleSource as ExampleSource
from evalstats.examples.bundled import example_metric_table as example_metric_table
from evalstats.examples.bundled import example_names as example_names
from evalstats.examples.bundled import example_path as example_path
from evalstats.examples.bundled import example_source as example_source
from evalstats.examples.bundled import example_table as example_table
