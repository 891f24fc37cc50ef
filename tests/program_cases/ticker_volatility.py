import ticker_volatility as tv

from tools.observation import compilations, printed

HOSTILE = {}
tickers = ["AAA", "BBB", "CCC"]


def report():
    printed(lambda: tv.report(tickers))
    assert compilations(lambda: printed(lambda: tv.report(tickers))) == 0


INNOCENT = [report]
