import { z } from 'zod';
import { causeBit } from '../../../engine/columns/blocked-rows.ts';
import { type BlockingCause, causeOf } from '../../../engine/visits/blocked-visits.ts';
import type { Instant } from '../../../model/issue.ts';
import { splitValue } from '../../../model/issues/value-sets.ts';
import { reportIds } from '../../../model/report-ids.ts';
import { ask, type ReportRequest } from '../../../model/request.ts';
import { type Cells, cellOf } from '../../../model/table.ts';
import { isoInstant } from '../../../output/encode.ts';
import { numberIn, personIn } from '../../outcomes/read-table.ts';
import type { ReportingApi } from '../../reporting/reporting-api.ts';
import { described, ms, person, type ValueOf } from '../document.ts';

/** The causes, in the order in which they are named. */
const blockingCauses = Object.keys(causeBit) as BlockingCause[];

const cause = z
  .object({
    kind: z.enum(blockingCauses as ['flag', 'status', 'link']),
    name: described(
      z.string(),
      'The status, or the key of the issue at the other end of the link.',
      'Status or issue key.',
    ),
  })
  .meta({ id: 'BlockingCause' });

/** The causes that block an issue now, since when, and who began it. */
export const blockedNow = z
  .object({
    since: isoInstant.nullable(),
    causes: z.array(cause),
    by: described(person.nullable(), 'Who began it; null: set at the creation, or unknown.', 'Who began it.'),
  })
  .meta({ id: 'BlockedNow' });

/** The times in which an issue was blocked. Causes that overlap count once in `blockedMs`. */
export const blockedTimesSchema = z
  .object({
    blockedMs: ms,
    times: z.int().meta({ description: 'How many times.' }),
    causes: z
      .array(z.object({ kind: cause.shape.kind, blockedMs: ms, times: z.int() }))
      .meta({ description: 'Time by cause; what overlaps counts in each.' }),
    episodes: z
      .array(
        z.object({
          start: isoInstant,
          end: isoInstant.nullable(),
          blockedMs: ms,
          causes: z.array(cause),
          by: person.nullable(),
        }),
      )
      .meta({ description: 'Each time, in order; end null: it still is.' }),
    now: blockedNow.nullable(),
  })
  .meta({ id: 'BlockedTimes' });

/** The cause of a time in which an issue was blocked. */
type Cause = ValueOf<typeof cause>;
/** The times in which an issue was blocked. */
export type BlockedTimes = ValueOf<typeof blockedTimesSchema>;

/**
 * Reads what blocked issues, by key, with the scope of these and of the issues at the other ends of their links; null where that is
 * unknown, as it is of a service elsewhere.
 */
export async function blockedTimes(
  keys: readonly string[],
  how: Pick<ReportRequest, 'principal' | 'calendar' | 'asOf'>,
  reporting: Pick<ReportingApi, 'report' | 'reportTypes'>,
) {
  const reportType = reportIds.blockedDurationExpanded;
  if (!reporting.reportTypes.some(({ id }) => id === reportType)) return null;
  const table = await reporting.report(ask({ ...how, reportType, selection: { by: 'keys', keys } }));
  const lines = Map.groupBy(table.rows, ({ issueKey }) => issueKey);
  return {
    byKey: new Map(
      table.issues.map(({ key, unknown }) => [
        key,
        timesOf(
          (lines.get(key) ?? []).map(({ cells }) => lineOf(cells)),
          unknown?.until ?? null,
        ),
      ]),
    ),
    contents: table.provenance.contents ?? null,
    provenance: table.provenance,
  };
}

type Episode = BlockedTimes['episodes'][number];

/** A line of the report: the time of one set of causes. */
function lineOf(cells: Cells): Episode {
  const value = cellOf(cells, 'value');
  const causes = splitValue({ id: value?.id ?? '', name: String(value?.value ?? '') });
  return {
    start: numberIn(cells, 'start') ?? 0,
    end: numberIn(cells, 'end'),
    blockedMs: numberIn(cells, 'duration') ?? 0,
    causes: causes.map(({ id, name }) => ({ kind: causeOf(id), name })),
    by: personIn(cells, 'transitionedBy'),
  };
}

/** The times of one issue; `seen` is the end of the time that a cut history does not show. */
function timesOf(lines: readonly Episode[], seen: Instant | null): BlockedTimes {
  const episodes: Episode[] = [];
  for (const [i, line] of lines.entries()) {
    const last = episodes.at(-1);
    if (last === undefined || !follows(line, lines[i - 1])) episodes.push(line);
    else
      episodes[episodes.length - 1] = {
        ...last,
        end: line.end,
        blockedMs: last.blockedMs + line.blockedMs,
        causes: distinct([...last.causes, ...line.causes]),
      };
  }
  const [last, lastLine] = [episodes.at(-1), lines.at(-1)];
  const isNow = last !== undefined && last.end === null && lastLine !== undefined;
  const isUnderWay = isNow && last.start === seen && last.by === null;
  return {
    blockedMs: episodes.reduce((sum, { blockedMs }) => sum + blockedMs, 0),
    times: episodes.length,
    causes: blockingCauses.flatMap((kind) => {
      const isIn = (line: Episode | undefined) => line?.causes.some((one) => one.kind === kind) === true;
      const own = lines.filter(isIn);
      const begun = lines.filter((line, i) => {
        const before = lines[i - 1];
        return isIn(line) && !(follows(line, before) && isIn(before));
      });
      const blockedMs = own.reduce((sum, line) => sum + line.blockedMs, 0);
      return own.length === 0 ? [] : [{ kind, blockedMs, times: begun.length }];
    }),
    episodes,
    now: isNow
      ? { since: isUnderWay ? null : last.start, causes: inOrder(lastLine.causes), by: last.by }
      : null,
  };
}

/** Returns true where a line goes on where another one ended. */
function follows({ start }: Episode, before: Episode | undefined): boolean {
  return before !== undefined && before.end === start;
}

function distinct(causes: readonly Cause[]): readonly Cause[] {
  return inOrder([...new Map(causes.map((one) => [`${one.kind} ${one.name}`, one])).values()]);
}

function inOrder(causes: readonly Cause[]): readonly Cause[] {
  return causes.toSorted((a, b) => blockingCauses.indexOf(a.kind) - blockingCauses.indexOf(b.kind));
}
