import { z } from 'zod';
import { exportTypes } from '../../model/export.ts';
import type { SavedReport } from '../../model/parameter-set.ts';
import type { BetweenMetric, Selection } from '../../model/request.ts';
import { isoText } from '../../time/date-text.ts';
import { type GivenParameters, isEmpty, type ParameterNames, parameterNames } from './check-parameters.ts';
import { columnParameters, columnsBy, creditTexts, type ReportShape } from './columns.ts';
import { oneOf, text } from './parameter.ts';
import {
  fileParameters,
  indexPaging,
  listParameters,
  queueParameters,
  reportParameters,
  statisticParameters,
} from './report.ts';
import { queryOf, queryWithin, rollingSelectionOf } from './rolling-range.ts';
import { companions, readSelection } from './selection.ts';

/** Every form of an answer there is; the words for a report's JSON and CSV are also those for files. */
const outputTypes = ['jsonSimplified', ...exportTypes] as const;

/** Parameters about the form of the answer, which every set can have. */
const look = {
  outputType: oneOf(outputTypes, { tableList: 'JSON', table: 'JSON' }).optional(),
  pageSize: indexPaging.pageSize,
  ...fileParameters,
  ...queueParameters,
};

/** The parameters of each kind of report that can be saved. */
export const savedKinds = {
  visits: z.object({ columnsBy: columnsBy('visit'), ...reportParameters, ...look }),
  single: z.object({ columnsBy: columnsBy('issue'), ...reportParameters, ...columnParameters, ...look }),
  list: z.object({ ...listParameters, ...look }),
  aggregation: z.object({ ...listParameters, ...statisticParameters, ...look }),
};

/** All parameters; whether an issue has the key is checked when the report runs. */
const known = z.object({ issueKey: text, ...savedKinds.aggregation.shape });

/** Every name a saved report may hold. */
export const savedNames = parameterNames(known);

/** Parameters of a set that do not apply to another request: the place within an answer, and the set itself. */
const ofOneRequest = ['paramSetId', 'startIssueIndex', 'nextPageToken'];

/** Parameters without a meaning in a report: accepted from clients that send them, and words of screens for JSON. */
const hasNoNoun = (name: string, text: string) =>
  ['paramSetId', 'visitCounts', 'includeTransitionedByColumns'].includes(name) ||
  (name === 'outputType' && /^\s*table/i.test(text));

/**
 * The parameters of a set as a request would send them: lists become comma lists, anything else that is no text becomes
 * its JSON. `reportType` is called `columnsBy` in requests. Names of which the schema knows nothing are left out.
 */
export function savedTexts(saved: Readonly<Record<string, unknown>>, names: ParameterNames): GivenParameters {
  const texts = new Map<string, string>();
  for (const [spelled, value] of Object.entries(saved)) {
    const name = nameOf(spelled, names);
    if (name === undefined || ofOneRequest.includes(name)) continue;
    const written = textOf(value, names.lists.has(name));
    if (written === null || isEmpty(written, name, names)) continue;
    if (!isAlias(spelled) || !texts.has(name)) texts.set(name, written);
  }
  return texts;
}

/** True for the name of `columnsBy` in sets, in any case. */
function isAlias(spelled: string): boolean {
  return spelled.toLowerCase() === 'reporttype';
}

function nameOf(spelled: string, { canonical }: Pick<ParameterNames, 'canonical'>): string | undefined {
  return canonical.get(isAlias(spelled) ? 'columnsby' : spelled.toLowerCase());
}

function textOf(value: unknown, isList: boolean): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && (isList || value.every((one) => typeof one !== 'object'))) {
    return value.map((one: unknown) => textOf(entryId(one), false) ?? '').join(',');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Entries of lists are also written as objects that hold their id. */
export function entryId(entry: unknown): unknown {
  return entry !== null && typeof entry === 'object' && 'id' in entry ? entry.id : entry;
}

/** Names in a saved report that no report takes, as they were given: misspelt, or of another product. */
export function unknownNames({ others = {} }: SavedReport): readonly string[] {
  const known = ofOneRequest.map((name) => name.toLowerCase());
  return Object.keys(others).filter(
    (name) => nameOf(name, savedNames) === undefined && !known.includes(name.toLowerCase()),
  );
}

type Input = Partial<z.output<typeof known>>;

/** Parameters with the same names as members of a report. */
const sameNames = [
  ...(['calendar', 'statuses', 'includeDeletedStatuses', 'multiVisitBehavior', 'fields'] as const),
  ...(['historyFields', 'groups', 'timePeriod', 'creditDelegates', 'asOf'] as const),
] as const;

const lookNames = [
  ...(['viewFormat', 'dayLength', 'dateFormat', 'dateTimeFormat', 'outputType'] as const),
  ...(['pageSize', 'byteOrderMark', 'withProvenance', 'async'] as const),
] as const;

/**
 * The report that request parameters by name describe; names in any case, `reportType` or `columnsBy`. What is no part of
 * a report or cannot be read is in `others`, as it was given.
 */
export function readParameters(parameters: Readonly<Record<string, unknown>>): SavedReport {
  const texts = savedTexts(parameters, savedNames);
  const values = new Map<string, unknown>();
  for (const [name, written] of texts) {
    const read = known.shape[name as keyof Input].safeParse(written);
    // A list of nothing but commas would not be one when it is written.
    const isNothing = name !== 'creditDelegates' && Array.isArray(read.data) && read.data.length === 0;
    if (read.success && !isNothing && !hasNoNoun(name, written)) values.set(name, read.data);
  }
  // Each value is the output of the schema of its name.
  const input = Object.fromEntries(values) as Input;
  const { filterType } = input;
  const companion = filterType === undefined ? undefined : companions[filterType];
  const ofSelection = companion !== undefined && values.has(companion) ? ['filterType', companion] : [];
  for (const name of ['filterType', ...Object.values(companions)]) {
    if (!ofSelection.includes(name)) values.delete(name);
  }
  const selection =
    filterType !== undefined && ofSelection.length > 0 ? readSelection({ ...input, filterType }) : undefined;
  // Dates of something else would choose other issues.
  const isDated = !texts.has('dateRangeField') || values.has('dateRangeField');
  if (!isDated) for (const name of ['startDate', 'endDate']) values.delete(name);
  const written = isDated ? datesOf(input) : undefined;
  const rolling = selection?.by === 'jql' && written === undefined ? rollingSelectionOf(selection.jql) : null;
  const entries = Object.entries(parameters).map(
    ([spelled, value]) => [spelled, value, nameOf(spelled, savedNames) ?? ''] as const,
  );
  const others = entries.filter(([_spelled, _value, name]) => !values.has(name));
  // The one of two values of a parameter that counts.
  const [, delegates] =
    entries.findLast(
      ([_spelled, value, name]) => name === 'creditDelegates' && textOf(value, true) === texts.get(name),
    ) ?? [];
  return present({
    ...reportOf(input),
    issueKey: input.issueKey,
    selection: rolling?.selection ?? selection,
    range: rolling?.range ?? written,
    creditDelegates:
      Array.isArray(delegates) && input.creditDelegates?.[0] !== undefined
        ? delegates.flatMap((one: unknown) => creditTexts(textOf(entryId(one), false) ?? ''))
        : input.creditDelegates,
    look: section(pick(input, lookNames)),
    others: section(Object.fromEntries(others)),
  });
}

/** The report of parameters that were checked, but for which issues it is about. */
export function reportOf(input: Omit<Input, keyof typeof look | 'issueKey' | 'filterType'>) {
  return present({
    ...pick(input, sameNames),
    reportType: input.columnsBy,
    range: datesOf(input),
    trim: section({ from: input.trimHistoryStartDate, to: input.trimHistoryEndDate }),
    consolidated: input.consolidatedStatuses,
    metrics: input.dbsMetrics,
    groupBy: input.groupByFields,
    statistic: section({
      type: input.aggregationType,
      percentile: input.percentile,
      denominator: input.averageDenominator,
      deviation: input.stddevType,
    }),
  });
}

function datesOf({
  dateRangeField: field,
  startDate: from,
  endDate: to,
}: Pick<Input, 'dateRangeField' | 'startDate' | 'endDate'>) {
  return section({ field, from, to });
}

/** The parameters of a report by name, in canonical spelling and order: what `readParameters` reads. */
export function parametersOf(report: SavedReport): Readonly<Record<string, unknown>> {
  const { range, trim, statistic, asOf, look, creditDelegates: delegates, others } = report;
  const { statuses, ...same } = pick(report, sameNames);
  const dates = range === undefined || 'when' in range ? {} : range;
  return {
    ...present({
      reportType: report.reportType,
      issueKey: report.issueKey,
      ...selectionParametersOf(requestSelection(report)),
      dateRangeField: dates.field,
      startDate: dates.from,
      endDate: dates.to,
      trimHistoryStartDate: trim?.from,
      trimHistoryEndDate: trim?.to,
      statuses,
      consolidatedStatuses: report.consolidated,
      dbsMetrics: report.metrics?.map(metricJson),
      groupByFields: report.groupBy,
      aggregationType: statistic?.type,
      percentile: statistic?.percentile,
      averageDenominator: statistic?.denominator,
      stddevType: statistic?.deviation,
      ...same,
      asOf: asOf === undefined ? undefined : isoText(asOf),
      creditDelegates:
        delegates === null ? false : delegates?.length === 0 ? true : delegates?.map(creditText),
    }),
    ...look,
    ...others,
  };
}

/** The choice of issues as a request makes it: a time that moves becomes part of its query. */
export function requestSelection({
  selection,
  range,
}: {
  readonly selection?: Selection | undefined;
  readonly range?: SavedReport['range'] | undefined;
}) {
  if (selection === undefined) return undefined;
  if (range !== undefined && 'when' in range) {
    return { by: 'jql', jql: queryWithin(queryOf(selection), range) } as const;
  }
  return selection.by === 'keys' ? ({ by: 'jql', jql: queryOf(selection) } as const) : selection;
}

/** A choice of issues by the names of parameters. */
export function selectionParametersOf(selection: Selection | undefined): Readonly<Record<string, string>> {
  switch (selection?.by) {
    case undefined:
      return {};
    case 'project':
      return { filterType: 'project', projectKey: selection.project };
    case 'savedFilter':
      return { filterType: 'jqlfilter', jqlFilterID: selection.id };
    case 'sprint':
      return { filterType: 'sprint', sprintID: selection.id };
    case 'user':
      return { filterType: 'user', user: selection.user };
    case 'keys':
    case 'jql':
      return { filterType: 'customjql', customjql: queryOf(selection) };
  }
}

function metricJson({ name, from, to, pausedIn }: BetweenMetric) {
  const point = ({ statuses, visit }: BetweenMetric['to'], usual: 'first' | 'last') => ({
    ...(statuses.length === 0 ? { type: 'issueCreation' } : { type: 'status', ids: statuses }),
    ...(visit === usual ? {} : { visitType: visit }),
  });
  return {
    name,
    startAt: point(from, 'first'),
    stopAt: point(to, 'last'),
    ...(pausedIn.length === 0 ? {} : { pauseAt: { ids: pausedIn } }),
  };
}

/** A category in quotes, if it would mean something else without. */
function creditText(text: string, _at: number, all: readonly string[]): string {
  const isWord = all.every((one) => /^(true|false)$/i.test(one.trim()));
  return isWord || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The members of an object that are not undefined. */
export function present<Values extends object>(values: Values): Present<Values> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  // The entries are the object's own.
  return Object.fromEntries(entries) as Present<Values>;
}

function pick<Values extends object, Name extends keyof Values>(values: Values, names: readonly Name[]) {
  // Names without a value are undefined.
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>;
}

/** The members that are not undefined; undefined if there are none. */
function section<Values extends object>(values: Values): Present<Values> | undefined {
  const some = present(values);
  return Object.keys(some).length === 0 ? undefined : some;
}

/**
 * Leaves aside what was saved for another kind of endpoint where this one has a choice of its own: the type of a
 * report over issues keeps no one from asking for the visits of one, nor a saved kind of file from asking for JSON;
 * delegates are credited only by the report that does so, whichever `input` or the set names. What is unknown everywhere
 * stays, and is refused.
 */
export function withoutForeign(
  given: GivenParameters,
  input: GivenParameters,
  { required, words, reportShape }: ParameterNames,
  reportTypes: readonly ReportShape[],
): GivenParameters {
  const report = (input.get('columnsBy') ?? given.get('columnsBy'))?.trim().toLowerCase();
  const credits = reportTypes.some(
    ({ id, options }) => id.toLowerCase() === report && options.includes('creditDelegates'),
  );
  const isForeign = (name: string, value: string) => {
    const wanted = value.trim().toLowerCase();
    if (required.has(name)) return false;
    if (name === 'outputType') {
      const isKnown = outputTypes.some((type) => type.toLowerCase() === wanted);
      return isKnown && words.get(name)?.has(wanted) !== true;
    }
    if (name === 'creditDelegates') return !credits;
    if (name !== 'columnsBy') return false;
    return reportTypes.some(({ id, shape }) => id.toLowerCase() === wanted && shape !== reportShape);
  };
  return new Map([...given].filter(([name, value]) => !isForeign(name, value)));
}
