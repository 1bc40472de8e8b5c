import type { GivenParameters } from '../../api/parameters/check-parameters.ts';
import type { ReportShape } from '../../api/parameters/columns.ts';
import { companions } from '../../api/parameters/selection.ts';

type Uses = Readonly<Record<string, readonly string[]>>;

/** The option of a report type that a parameter is for. */
const optionOf: Readonly<Record<string, string>> = {
  multiVisitBehavior: 'multiVisitBehavior',
  groups: 'groups',
  timePeriod: 'timePeriod',
  dbsMetrics: 'metrics',
  historyFields: 'historyFields',
};

/** The statistics that use one of their parameters. */
const statistics: Uses = {
  percentile: ['percentile'],
  averageDenominator: ['average', 'standardDeviation'],
  stddevType: ['standardDeviation'],
};

/** The files of a single statistic, or of none; the other files have every one. */
const statisticOfFile: Readonly<Record<string, string>> = {
  csv: 'list',
  csvaverage: 'average',
  csvsum: 'sum',
  csvmedian: 'median',
  csvstddev: 'standardDeviation',
};

/**
 * The known parameters of a request that its answer does not use: a choice that changes nothing must not look like one.
 * `input` has those of a parameter set as well.
 */
export function unusedNames(
  named: GivenParameters,
  input: GivenParameters,
  reportTypes: () => readonly ReportShape[],
): string[] {
  const word = (name: string) => input.get(name)?.trim().toLowerCase() ?? '';
  const filter = Object.entries(companions).find(([type]) => type === filterOf(word('filterType')))?.[1];
  const statistic = input.has('aggregationType')
    ? word('aggregationType')
    : statisticOfFile[word('outputType')];
  const isUnused = (name: string) => {
    if (isAmong(Object.values(companions), name)) return filter !== undefined && filter !== name;
    if (name === 'dateRangeField') return word('startDate') === '' && word('endDate') === '';
    if (name === 'fields') return input.has('aggregationType');
    const [option, uses] = [optionOf[name], statistics[name]];
    if (option !== undefined) {
      return !reportTypes().some(
        ({ id, options }) => options.includes(option) && id.toLowerCase() === word('columnsBy'),
      );
    }
    return uses !== undefined && statistic !== undefined && !isAmong(uses, statistic);
  };
  return [...named.keys()].filter(isUnused);
}

/** An alias of the contract. */
function filterOf(word: string): string {
  return word === 'advanced' ? 'jqlfilter' : word;
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.some((one) => one.toLowerCase() === word.toLowerCase());
}
