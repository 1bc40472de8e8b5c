import { z } from 'zod';
import { idText } from '../jira-json/jira-schema.ts';
import type { TrackerEntry } from '../tracker.ts';
import { askPages } from './ask-pages.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';
import type { List } from './list.ts';
import { mapAtMost } from './map-at-most.ts';
import { tellBeside } from './tell-beside.ts';

const PAGE = 50;
const AT_ONCE = 4;

const board = z.object({ id: idText, type: z.string().nullish() });

/** The sprints of every board that has any. */
export const listSprints: List = async function* ({ client }) {
  for await (const values of askPages(client, { api: 'software', path: '/board' }, PAGE)) {
    const boards = values.flatMap((one) => board.safeParse(one).data ?? []);
    const withSprints = boards.filter(({ type }) => type !== 'kanban');
    yield* (await mapAtMost(AT_ONCE, withSprints, ({ id }) => sprintsOf(client, id))).flat();
  }
};

/** Of a board that has no sprints, or is not shown to us, nothing. */
async function sprintsOf(client: JiraClient, id: string): Promise<TrackerEntry[]> {
  const told: TrackerEntry[] = [];
  try {
    const asked = { api: 'software', path: `/board/${encodeURIComponent(id)}/sprint` } as const;
    for await (const sprints of askPages(client, asked, PAGE)) told.push(...tellBeside(sprints));
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
  }
  return told;
}
