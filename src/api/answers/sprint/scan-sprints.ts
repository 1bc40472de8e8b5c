import { MissingColumn } from '../../../engine/columns/held-fields.ts';
import type { IssueColumns } from '../../../engine/columns/issue-columns.ts';
import type { ValueCodes } from '../../../engine/columns/value-codes.ts';
import { type SprintPlan, type SprintTotals, sprintScan } from '../../../engine/measure/sprint-scan.ts';
import type { FieldContent, Instant } from '../../../model/issue.ts';
import { splitValue } from '../../../model/issues/value-sets.ts';
import { type AudienceScope, ask, type Principal } from '../../../model/request.ts';
import type { Provenance } from '../../../model/table.ts';
import type { ReportingApi, ScanFacts } from '../../reporting/reporting-api.ts';
import { openStatuses } from '../figures/issue-outcomes.ts';
import type { ObservedStatus } from '../figures/read-table.ts';
import type { SprintSpan } from './find-sprint.ts';

/** A sprint up to an instant; `isCut`: one before its end. */
export interface CountedSpan extends SprintSpan {
  readonly isCut: boolean;
}

/** What one pass found of one sprint. */
export interface ScannedSprint extends Omit<SprintTotals, 'within' | 'classes' | 'places' | 'placesAtStart'> {
  /** By status id. */
  readonly within: ReadonlyMap<string, number>;
  readonly contents: AudienceScope;
  /** The keys of its issues, and of those of them that were in it at its start; none where they were not asked for. */
  readonly keys: readonly string[];
  readonly keysAtStart: readonly string[];
}

/** What one pass found of several sprints, in their order. */
interface ScannedSprints {
  readonly sprints: readonly ScannedSprint[];
  /** Keys of the issues that columns do not know enough of: they are in none of the totals. */
  readonly rest: readonly string[];
  /** The statuses of the issues that are not Done. */
  readonly statuses: readonly ObservedStatus[];
  /** Of all issues that the principal can see. */
  readonly provenance: Provenance;
}

/** Stands for columns from which sprints cannot be counted. */
const unusable = new Error('Sprints are in several fields, too long, or hidden.');

/** So few issues are asked one by one, whatever the pass has found of others. */
const FEW_ASKED = 400;

/** Sprints have a bit each. */
const MAX_SPRINTS = 31;

/** The totals of several sprints in one pass over columns; null where there are none that have sprints in one field. */
export async function scanSprints(
  spans: readonly CountedSpan[],
  {
    principal,
    asOf,
    calendar,
    reporting,
  }: {
    readonly principal: Principal;
    readonly asOf: Instant;
    readonly calendar: string;
    readonly reporting: ReportingApi;
  },
  listsPlaces = false,
): Promise<ScannedSprints | null> {
  if (reporting.scan === undefined || spans.length > MAX_SPRINTS) return null;
  const request = ask({
    principal,
    asOf,
    calendar,
    reportType: 'statusDuration',
    includeDeletedStatuses: true,
    selection: { by: 'jql', jql: '' },
  });
  try {
    const scanned = await reporting.scan(request, sprintScan, async (plan, columns, facts) => ({
      ...plan,
      listsPlaces,
      ...(await sprintsIn(columns, spans, facts)),
    }));
    const { found, statusIds } = scanned;
    const counted = found.sprints.reduce((sum, { issues }) => sum + issues, 0);
    // Where most issues have to be asked one by one, all are asked sooner.
    if (found.rest.length > counted + FEW_ASKED) return null;
    return {
      sprints: found.sprints.map(({ within, classes, places, placesAtStart, ...total }) => ({
        ...total,
        keys: scanned.keys(places),
        keysAtStart: scanned.keys(placesAtStart),
        within: new Map(statusIds.map((id, slot) => [id, within[slot] ?? 0])),
        contents: scanned.audienceScope(classes),
      })),
      rest: scanned.keys(found.rest),
      statuses: await openStatuses(scanned, principal, reporting),
      provenance: scanned.provenance,
    };
  } catch (error) {
    if (error === unusable) return null;
    throw error;
  }
}

async function sprintsIn(
  columns: IssueColumns,
  spans: readonly CountedSpan[],
  { sprintFields, hidesIn }: ScanFacts,
): Promise<Pick<SprintPlan, 'field' | 'sprints' | 'today' | 'past'>> {
  const [field, ...others] = sprintFields.filter((one) =>
    columns.classes.all.some(({ fields, changed }) => fields.has(one) || changed.has(one)),
  );
  if (field === undefined || others.length > 0 || (await hidesIn(field))) throw unusable;
  if (columns.isTooLong(field) || columns.histories.isTooLong(field)) throw unusable;
  const history = columns.histories.find(field);
  if (history === null) throw new MissingColumn(field, 'history');
  const bits = new Map(spans.map(({ id }, i) => [id, 1 << i]));
  const bitsOf = (content: FieldContent | undefined) => {
    if (content === undefined || content === null) return 0;
    if (typeof content !== 'object') throw unusable;
    const values = 'length' in content ? content : splitValue(content);
    return values.reduce((sum, { id }) => sum | (bits.get(id) ?? 0), 0);
  };
  const byCode = (values: ValueCodes) =>
    Uint32Array.from({ length: values.size }, (_, code) => bitsOf(values.at(code)));
  return {
    field,
    sprints: spans.map(({ start, end, isCut }) => ({ start, end, isCut })),
    today: byCode(columns.values(field)),
    past: byCode(history.values),
  };
}
