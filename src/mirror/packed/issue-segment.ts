import type { Change, Issue } from '../../model/issue.ts';
import type { PackedBytes } from './byte-reader.ts';
import type { IssueUnpacker, PackedHead } from './create-issue-unpacker.ts';

/** Issues packed one behind the other. What no issue leads to any more goes with the last one that leads here. */
export interface IssueSegment extends PackedBytes {
  readonly unpacker: IssueUnpacker;
  readonly decoded: DecodedIssues;
  used: number;
  /** Bytes of issues that were replaced or removed. */
  garbage: number;
}

/** What was unpacked of an issue last. */
export interface DecodedIssue {
  readonly issue: Issue;
  head: PackedHead | null;
  fields: Issue['fields'] | null;
  changes: readonly Change[] | null;
}

/** Of the last some hundred issues looked at. */
interface DecodedIssues {
  /** Null where nothing of it was unpacked lately. */
  peek(issue: Issue, place: number): DecodedIssue | null;
  of(issue: Issue, place: number): DecodedIssue;
}

const SLOTS = 512;

export function rememberDecoded(): DecodedIssues {
  const slots: (DecodedIssue | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  return {
    peek(issue, place) {
      const known = slots[place % SLOTS];
      return known?.issue === issue ? known : null;
    },
    of(issue, place) {
      const known = slots[place % SLOTS];
      if (known?.issue === issue) return known;
      const fresh: DecodedIssue = { issue, head: null, fields: null, changes: null };
      slots[place % SLOTS] = fresh;
      return fresh;
    },
  };
}
