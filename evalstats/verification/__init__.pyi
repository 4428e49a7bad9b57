from evalstats.verification.values import ChangedValue as ChangedValue
from evalstats.verification.verifying import ReportVerification as ReportVerification
from evalstats.verification.verifying import verify_report as verify_report
