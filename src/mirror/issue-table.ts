import { IssueColumns } from '../columns/issue-columns.ts';
import { rowContent } from '../engine/row-content.ts';
import type { Issue } from '../model/issue.ts';

/** All issues of a tracker: columns to count and to choose by, and the issues themselves for those that are shown. */
export interface IssueTable {
  /** Changed in place when issues change; what holds rows of them goes on holding the same issues. */
  readonly columns: IssueColumns;
  /** The issues of some rows, in their order; null where one is gone. */
  load(rows: ArrayLike<number>): Promise<readonly (Issue | null)[]>;
  /**
   * Sees to it that columns hold a field's contents, unless that turns out to be too long (`isTooLong`). May look at every
   * issue; others get their turn meanwhile.
   */
  hold(field: string, as?: HeldAs): Promise<void>;
}

/** Contents under codes, where many issues have the same; or texts, where nearly each has its own. */
export type HeldAs = 'codes' | 'texts';

/** A table of issues that are all at hand. */
export function tableOf(issues: readonly Issue[]): IssueTable {
  const columns = new IssueColumns();
  for (const [i, issue] of issues.entries()) columns.put(i + 1, rowContent(issue));
  const issueOf = (row: number) => issues[(columns.arrays().storeId[row] ?? 0) - 1] ?? null;
  return {
    columns,
    load: async (rows) => Array.from(rows, issueOf),
    async hold(field, as = 'codes') {
      const rows = columns.rowsByCreation();
      if (as === 'texts') {
        if (columns.hasTexts(field)) return;
        columns.beginTexts(field);
        columns.fillTexts(field, rows, Array.from(rows, issueOf));
        columns.endTexts(field);
        return;
      }
      if (columns.hasField(field)) return;
      columns.beginField(field);
      columns.fillField(field, rows, Array.from(rows, issueOf));
      columns.endField(field);
    },
  };
}
