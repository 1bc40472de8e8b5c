import { changesOf } from '../../issues/issue-fields.ts';
import type { JqlWorld } from '../jql.ts';
import { type Condition, least, NO, UNKNOWN, YES } from '../truth.ts';
import { lostTime } from './lost-time.ts';
import type { Predicates } from './predicates.ts';
import { overlap } from './window.ts';

/** Whether a field changed in the way the predicates say. Of a cut history, a lost change may be the one asked for. */
export function changed(field: string, { window, by, from, to }: Predicates, { now }: JqlWorld): Condition {
  return (issue) => {
    let doubtful = false;
    for (const change of changesOf(issue, field)) {
      if (change.at > now) continue;
      const at = Math.max(change.at, issue.created);
      const holds = at >= window.from && at < window.until && (by === null || by(change.by));
      const truth = holds ? least(from(change.from), to(change.to)) : NO;
      if (truth === YES) return YES;
      doubtful ||= truth === UNKNOWN;
    }
    const lost = lostTime(issue, now);
    return doubtful || (lost !== null && overlap(window, lost)) ? UNKNOWN : NO;
  };
}
