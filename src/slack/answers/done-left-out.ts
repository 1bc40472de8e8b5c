import type { IssueStory } from '../../api/tell-issue.ts';
import { namedKeys } from './named-keys.ts';
import { type Said, say } from './wording.ts';

/** Which statuses the chart of an issue leaves out, for they count as done; nothing where it holds all its time. */
export function doneLeftOut({ statuses }: Pick<IssueStory, 'statuses'>): readonly Said[] {
  const names = statuses.flatMap(({ status, category, ms }) =>
    category === 'Done' && ms > 0 ? [status] : [],
  );
  if (names.length === 0) return [];
  return [
    say(
      (wording) =>
        `Left out of the chart: ${namedKeys(names, wording)}, which ${names.length === 1 ? 'counts' : 'count'} as done.`,
    ),
  ];
}
