import type { Instant } from '../../model/issue.ts';
import { type Cells, cellOf, type IssueFacts, type Row, type Table } from '../../model/table.ts';
import type { NamedPerson } from '../view/wording.ts';

/** A visit of an issue as a report tells it visit by visit. `ms` are working. */
export interface ReadVisit {
  readonly facts: IssueFacts;
  /** Null: it was in none. */
  readonly status: { readonly id: string; readonly name: string } | null;
  readonly start: Instant;
  /** Null while it lasts. */
  readonly end: Instant | null;
  readonly ms: number;
  /** It began at `start`, as far as is known; false where the history is unknown before. */
  readonly begun: boolean;
  /** It ended at `end`; false where it lasts, or where the history is unknown after. */
  readonly ended: boolean;
  /** Who moved it there; null where that is unknown, and for the first one. */
  readonly by: NamedPerson | null;
}

/** The lines of a visit-by-visit report, issue after issue, each in order of time. */
export function readVisits({ rows, issues }: Table): readonly ReadVisit[] {
  const byKey = Map.groupBy(rows, ({ issueKey }) => issueKey);
  return issues.flatMap((facts) => visitsOf(facts, byKey.get(facts.key) ?? []));
}

function visitsOf(facts: IssueFacts, rows: readonly Row[]): readonly ReadVisit[] {
  const { unknown } = facts;
  // The last visit before unknown time ends where known time does, and the first one after it begins likewise.
  const last =
    unknown === null ? -1 : rows.findLastIndex(({ cells }) => numberIn(cells, 'end') === unknown.from);
  const first =
    unknown === null ? -1 : rows.findIndex(({ cells }) => numberIn(cells, 'start') === unknown.until);
  return rows.flatMap(({ cells }, i): ReadVisit[] => {
    const [start, end, ms] = [numberIn(cells, 'start'), numberIn(cells, 'end'), numberIn(cells, 'duration')];
    if (start === null || ms === null) return [];
    const [status, by] = [cellOf(cells, 'value'), cellOf(cells, 'transitionedBy')];
    return [
      {
        facts,
        status: status?.id === undefined ? null : { id: status.id, name: String(status.value) },
        start,
        end,
        ms,
        // Whoever opened it did so at its start.
        begun: i !== first || by !== undefined,
        ended: end !== null && i !== last,
        by: by === undefined ? null : { id: by.id ?? null, name: String(by.value) },
      },
    ];
  });
}

function numberIn(cells: Cells, columnId: string): number | null {
  const value = cellOf(cells, columnId)?.value;
  return typeof value === 'number' ? value : null;
}
