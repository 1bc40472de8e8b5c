import type { ExplainedPart } from '../../../model/answer.ts';
import { type Column, cellOf, type IssueFacts, type Table } from '../../../model/table.ts';
import { longestFirst, partOf, sumOf } from './compose.ts';

/** An issue's share of a column: ms or a count; null where it has none. */
interface IssueShare {
  readonly facts: IssueFacts;
  readonly value: number | null;
}

/** What each issue of a list has in some of its columns, over all of its lines. */
export function sharesOf({ issues, rows }: Table, columns: readonly Column[]): readonly IssueShare[] {
  const values = new Map<string | null, number[]>();
  for (const { issueKey, cells } of rows) {
    const own = values.get(issueKey) ?? [];
    values.set(issueKey, own);
    for (const { id } of columns) {
      const value = cellOf(cells, id)?.value;
      if (typeof value === 'number') own.push(value);
    }
  }
  return issues.map((facts) => {
    const own = values.get(facts.key) ?? [];
    return { facts, value: own.length === 0 ? null : sumOf(own) };
  });
}

/** The issues that have a share, the largest first. */
export function issueParts(shares: readonly IssueShare[], kind: Column['kind']): readonly ExplainedPart[] {
  const having = shares.flatMap(({ facts, value }) => (value === null ? [] : [{ facts, value }]));
  if (kind === 'duration') {
    return longestFirst(having.map(({ facts, value }) => partOf({ ...nameOf(facts), countedMs: value })));
  }
  return having
    .toSorted((a, b) => b.value - a.value)
    .map(({ facts, value }) => partOf({ ...nameOf(facts), note: `counts ${value}` }));
}

/** Issues without a share: those whose history is cut first, for nobody can tell of them. */
export function withoutShare(
  shares: readonly IssueShare[],
): readonly { readonly key: string; readonly reason: string }[] {
  const without = shares.filter(({ value }) => value === null).map(({ facts }) => facts);
  const uncertain = without.filter(({ unknown }) => unknown !== null);
  const never = without.filter(({ unknown }) => unknown === null);
  return [
    ...uncertain.map(({ key, history }) => ({
      key,
      reason: `its history is not complete${history.complete ? '' : `: ${history.reason}`}`,
    })),
    ...never.map(({ key }) => ({ key, reason: 'it has no value here' })),
  ];
}

/** How an issue is called, and where it is found. */
function nameOf({ key, cells, link }: IssueFacts): Pick<ExplainedPart, 'label' | 'link'> {
  return { label: `${key} ${cellOf(cells, 'summary')?.value ?? ''}`.trim(), link };
}
