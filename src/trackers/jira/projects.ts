import { z } from 'zod';
import { idText } from '../jira-json/jira-schema.ts';
import { askList, askPages } from './ask-pages.ts';
import type { JiraClient } from './jira-client.ts';

/** Cloud takes a larger number for 50. */
const PAGE = 100;

const project = z.object({ id: idText, key: z.string() });

/** The id of every project that our account may browse, by its key in upper case. */
export async function askProjects(client: JiraClient): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const learn = (values: readonly unknown[]) => {
    for (const value of values) {
      const told = project.safeParse(value);
      if (told.success) ids.set(told.data.key.toUpperCase(), told.data.id);
    }
  };
  if ((await client.kind()) === 'dataCenter')
    learn(await askList(client, { path: '/project', isPriority: true }));
  else
    for await (const values of askPages(client, { path: '/project/search', isPriority: true }, PAGE))
      learn(values);
  return ids;
}
