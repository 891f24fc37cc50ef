import station_reader as m

HOSTILE = {}
INNOCENT = [lambda: m.Station(m.CsvReader(m.TEXT), m.Filter()).run(4)]
