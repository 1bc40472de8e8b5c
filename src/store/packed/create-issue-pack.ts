import { yieldToOthers } from '../../concurrency/cooperative-yield.ts';
import type { Issue } from '../../model/issue.ts';
import { createIssueTerms } from './issue-terms.ts';
import { createIssuePacker } from './pack-issue.ts';
import { type IssueSegment, PackedIssue, rememberDecoded } from './packed-issue.ts';
import { createIssueUnpacker } from './unpack-issue.ts';

const SEGMENT_BYTES = 2 ** 20;

/** Issues that are kept as bytes. */
interface IssuePack {
  /** An issue equal to this one. */
  add(issue: Issue): Issue;
  /** It was replaced or removed; whoever still has it may go on reading it. */
  drop(issue: Issue): void;
  /** Bytes kept for issues, and how many of them are of dropped ones. */
  bytes(): { readonly all: number; readonly garbage: number };
  /** Moves these, all that have not been dropped, out of places with much garbage; others get their turn meanwhile. */
  compact(issues: readonly Issue[]): Promise<void>;
}

/** Issues moved between two looks at what else there is to do; about a millisecond. */
const MOVED_AT_ONCE = 500;

/** A place is given up when more than a fourth of it is garbage. */
const GARBAGE_PART = 4;

export function createIssuePack(): IssuePack {
  const terms = createIssueTerms();
  const pack = createIssuePacker(terms);
  const unpacker = createIssueUnpacker(terms);
  const decoded = rememberDecoded();
  const segments = new Set<IssueSegment>();
  let open: IssueSegment | null = null;

  function write(bytes: Uint8Array): { readonly segment: IssueSegment; readonly at: number } {
    let segment = open;
    if (segment === null || segment.used + bytes.length > segment.bytes.length) {
      const size = Math.max(SEGMENT_BYTES, bytes.length);
      const own = Buffer.allocUnsafeSlow(size);
      const view = new DataView(own.buffer, own.byteOffset, size);
      segment = { bytes: own, view, unpacker, decoded, used: 0, garbage: 0 };
      segments.add(segment);
      open = segment;
    }
    const at = segment.used;
    segment.bytes.set(bytes, at);
    segment.used += bytes.length;
    return { segment, at };
  }

  return {
    add(issue) {
      const { segment, at } = write(pack(issue));
      return new PackedIssue(segment, at);
    },
    drop(issue) {
      if (issue instanceof PackedIssue) issue.segmentOf().garbage += issue.sizeOf();
    },
    bytes() {
      let all = 0;
      let garbage = 0;
      for (const segment of segments) {
        all += segment.used;
        garbage += segment.garbage;
      }
      return { all, garbage };
    },
    async compact(issues) {
      const given = new Set([...segments].filter(({ used, garbage }) => garbage * GARBAGE_PART > used));
      for (const segment of given) segments.delete(segment);
      if (open !== null && given.has(open)) open = null;
      for (let start = 0; start < issues.length; start += MOVED_AT_ONCE) {
        for (const issue of issues.slice(start, start + MOVED_AT_ONCE)) {
          if (!(issue instanceof PackedIssue) || !given.has(issue.segmentOf())) continue;
          const { segment, at } = write(issue.bytesOf());
          issue.moveTo(segment, at);
        }
        await yieldToOthers();
      }
    },
  };
}
