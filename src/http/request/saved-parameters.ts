import type { ReportTypeFacts } from '../../api/reporting/reporting-api.ts';
import { exportTypes } from '../../model/export.ts';
import { creditingReport } from '../parameters/credit-delegates.ts';
import { type Given, isEmpty } from './collect-parameters.ts';
import type { ParameterNames } from './parameter-names.ts';

/** What of a saved configuration never holds for another request: the place within an answer, and the set itself. */
const ofOneRequest = ['paramSetId', 'startIssueIndex', 'nextPageToken'];

/**
 * The parameters of a saved configuration as a request would send them: lists become comma lists, anything else that
 * is no text becomes its JSON. `reportType` is called `columnsBy` in requests.
 */
export function savedParameters(saved: Readonly<Record<string, unknown>>, names: ParameterNames): Given {
  const { canonical, lists } = names;
  const given = new Map<string, string>();
  for (const [spelled, value] of Object.entries(saved)) {
    const lower = spelled.toLowerCase();
    const name = canonical.get(lower === 'reporttype' ? 'columnsby' : lower);
    const said = name === undefined ? null : textOf(value, lists.has(name));
    if (name === undefined || said === null || isEmpty(said, name, names) || ofOneRequest.includes(name))
      continue;
    if (lower !== 'reporttype' || !given.has(name)) given.set(name, said);
  }
  return given;
}

/**
 * Leaves aside what was saved for another kind of endpoint where this one has a choice of its own: the type of a
 * report over issues does not keep anybody from asking for the visits of one, nor a saved kind of file from asking for
 * JSON; delegates are credited only by the report that does so, whichever `asked` or the set names. What is unknown
 * everywhere stays, and is refused.
 */
export function withoutForeign(
  given: Given,
  asked: Given,
  { required, words, reportShape }: ParameterNames,
  reportTypes: readonly ReportTypeFacts[],
): Given {
  const report = (asked.get('columnsBy') ?? given.get('columnsBy'))?.trim().toLowerCase();
  const isForeign = (name: string, value: string) => {
    const wanted = value.trim().toLowerCase();
    if (required.has(name)) return false;
    if (name === 'outputType')
      return (
        outputTypes.some((type) => type.toLowerCase() === wanted) && words.get(name)?.has(wanted) !== true
      );
    if (name === 'creditDelegates') return report !== creditingReport.toLowerCase();
    if (name !== 'columnsBy') return false;
    return reportTypes.some(({ id, shape }) => id.toLowerCase() === wanted && shape !== reportShape);
  };
  return new Map([...given].filter(([name, value]) => !isForeign(name, value)));
}

/** Every form of an answer there is; the words for a report's JSON and CSV are also those for files. */
export const outputTypes = ['jsonSimplified', ...exportTypes] as const;

function textOf(value: unknown, isList: boolean): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && (isList || value.every((one) => typeof one !== 'object'))) {
    return value.map((one: unknown) => textOf(idOf(one), false) ?? '').join(',');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Entries of lists are also saved as objects that tell their id. */
function idOf(entry: unknown): unknown {
  return entry !== null && typeof entry === 'object' && 'id' in entry ? entry.id : entry;
}
