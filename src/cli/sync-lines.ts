import { fillText } from '../model/fill-text.ts';
import type { Instant } from '../model/issue.ts';
import type { SyncStatus } from '../model/sync.ts';

const LABEL = 16;

/** How a synchronisation stands, line by line. */
export function syncLines(status: SyncStatus): readonly string[] {
  const { site, filled, issues, cutHistories, asOf, comparedAt, requests, withheld, problem } = status;
  const { sent, repeated, slowedDown } = requests;
  return [
    line('Site', site),
    line('Issues', String(issues)),
    ...(filled ? [] : [line('First fill', fillText(status))]),
    line('Cut histories', String(cutHistories)),
    line('Fresh as of', asOf === null ? 'not before the first fill is done' : timeText(asOf)),
    line('Compared', comparedAt === null ? 'never' : timeText(comparedAt)),
    line('Requests', `${sent} (${repeated} repeated, ${slowedDown} slowed down)`),
    ...(withheld.length === 0 ? [] : [line('Withheld', String(withheld.length))]),
    ...withheld.map((what) => `  ${what}`),
    ...(problem === null ? [] : [line('Problem', `${problem.message} (${timeText(problem.at)})`)]),
  ];
}

function line(label: string, value: string): string {
  return `${label.padEnd(LABEL)} ${value}`;
}

function timeText(at: Instant): string {
  return new Date(at).toISOString();
}
