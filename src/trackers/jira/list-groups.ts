import { z } from 'zod';
import { mapLimited } from '../../http-client/map-limited.ts';
import type { Group } from '../../model/directory.ts';
import type { User } from '../../model/issue.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import type { TrackerEntry } from '../tracker.ts';
import { askPages } from './ask-pages.ts';
import type { JiraClient } from './jira-client.ts';
import { JiraRefusal } from './jira-failures.ts';
import type { List } from './list.ts';
import { tellRefusals } from './tell-refusals.ts';

const PAGE = 50;
const AT_ONCE = 4;
/** More than Data Center hands out anyway. */
const MOST_PICKED = 1000;

const group = z.object({ name: z.string(), groupId: z.string().nullish() });
type JiraGroup = z.output<typeof group>;

const picked = z.object({ total: z.number(), groups: z.array(group) });

/** Every group with its people; one whose people are not told is left out, and that is said once. */
export const listGroups: List = async function* ({ client }) {
  const refusals: string[] = [];
  for await (const groups of groupPages(client, refusals)) {
    const told = await mapLimited(AT_ONCE, groups, (one) => peopleOf(client, one));
    for (const one of told) {
      if ('refusal' in one) refusals.push(one.refusal);
      else yield* entriesOf(one);
    }
  }
  yield* tellRefusals('groups', refusals);
};

type People = { readonly group: Group; readonly users: readonly User[] } | { readonly refusal: string };

async function* groupPages(client: JiraClient, refusals: string[]): AsyncGenerator<JiraGroup[]> {
  if ((await client.kind()) === 'cloud') {
    for await (const values of askPages(client, { path: '/group/bulk' }, PAGE)) {
      yield values.flatMap((one) => group.safeParse(one).data ?? []);
    }
    return;
  }
  const query = { maxResults: String(MOST_PICKED) };
  const { total, groups } = await client.ask({ method: 'GET', path: '/groups/picker', query }, picked);
  yield groups;
  if (groups.length < total) refusals.push(`Jira lists only ${groups.length} of its ${total} groups.`);
}

async function peopleOf(client: JiraClient, { name, groupId }: JiraGroup): Promise<People> {
  const who = groupId ? { groupId } : { groupname: name };
  const asked = { path: '/group/member', query: { ...who, includeInactiveUsers: 'true' } };
  const users: User[] = [];
  try {
    for await (const values of askPages(client, asked, PAGE)) {
      users.push(...values.flatMap((one) => readBeside(one)?.users ?? []));
    }
  } catch (error) {
    if (!(error instanceof JiraRefusal)) throw error;
    return { refusal: `The people of group '${name}' are not told: ${error.message}` };
  }
  return { group: { id: groupId || name, name, members: users.map(({ id }) => id) }, users };
}

function entriesOf({ group: told, users }: Exclude<People, { readonly refusal: string }>): TrackerEntry[] {
  return [
    ...(users.length === 0 ? [] : [{ kind: 'users', users } as const]),
    { kind: 'directory', part: { groups: [told] } },
  ];
}
