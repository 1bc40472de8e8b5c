import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import { idText } from '../jira-json/jira-schema.ts';
import type { TrackerEntry } from '../tracker.ts';
import { askPages } from './ask-pages.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';
import type { List } from './list.ts';
import { tellBeside } from './tell-beside.ts';
import { tellRefusals } from './tell-refusals.ts';

const PAGE = 50;
const AT_ONCE = 4;

const board = z.object({ id: idText, type: z.string().nullish() });

/** Of a board without sprints (400), or one that is gone meanwhile (404), there is nothing to tell. */
const nothingThere: readonly number[] = [400, 404];

/** The sprints of every board that has any; a board whose sprints are not told is left out, and that is said once. */
export const listSprints: List = async function* ({ client }) {
  const refusals: string[] = [];
  for await (const values of askPages(client, { api: 'software', path: '/board' }, PAGE)) {
    const boards = values.flatMap((one) => board.safeParse(one).data ?? []);
    const withSprints = boards.filter(({ type }) => type !== 'kanban');
    yield* (await mapLimited(AT_ONCE, withSprints, ({ id }) => sprintsOf(client, id, refusals))).flat();
  }
  yield* tellRefusals('sprints', refusals);
};

async function sprintsOf(client: JiraClient, id: string, refusals: string[]): Promise<TrackerEntry[]> {
  const told: TrackerEntry[] = [];
  try {
    const asked = { api: 'software', path: `/board/${encodeURIComponent(id)}/sprint` } as const;
    for await (const sprints of askPages(client, asked, PAGE)) told.push(...tellBeside(sprints));
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    if (!nothingThere.includes(error.status)) refusals.push(error.message);
  }
  return told;
}
