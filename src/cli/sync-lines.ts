import type { SyncOutcome } from '../api/sync.ts';
import { counted, fillText } from '../model/fill-text.ts';
import type { Instant } from '../model/issue.ts';

const LABEL = 16;

/** What came of a run, and how the synchronisation stands, line by line. */
export function syncLines(outcome: SyncOutcome): readonly string[] {
  const { site, filled, issues, cutHistories, asOf, comparedAt, withheld, problem } = outcome;
  return [
    line('Site', site),
    line('This run', cameText(outcome)),
    line('Issues', counted(issues)),
    ...(filled ? [] : [line('First fill', fillText(outcome))]),
    line('Cut histories', counted(cutHistories)),
    line('Fresh as of', asOf === null ? 'not before the first fill is done' : timeText(asOf)),
    line('Compared', comparedAt === null ? 'never' : timeText(comparedAt)),
    line('Requests', requestsText(outcome)),
    ...(withheld.length === 0 ? [] : [line('Withheld', counted(withheld.length))]),
    ...withheld.map((what) => `  ${what}`),
    ...(problem === null ? [] : [line('Problem', `${problem.message} (${timeText(problem.at)})`)]),
  ];
}

function cameText({ came: { added, updated, removed } }: SyncOutcome): string {
  if (added + updated + removed === 0) return 'nothing has changed';
  return `${counted(added)} new, ${counted(updated)} updated, ${counted(removed)} removed`;
}

function requestsText({ came, requests: { sent, repeated, slowedDown } }: SyncOutcome): string {
  const all = `${counted(sent)} in all (${counted(repeated)} repeated, ${counted(slowedDown)} slowed down)`;
  return `${counted(came.requests)} in this run, ${all}`;
}

function line(label: string, value: string): string {
  return `${label.padEnd(LABEL)} ${value}`;
}

function timeText(at: Instant): string {
  return new Date(at).toISOString();
}
