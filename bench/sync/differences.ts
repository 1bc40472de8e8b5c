import { createFieldTitles } from '../../src/mirror/fill.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { readIssue } from '../../src/trackers/jira-json/read-issue.ts';
import type { JiraWorld } from '../../test/support/stand-in-jira-world.ts';

const CHUNK = 1000;

/** Ids of issues that are kept otherwise than the source has them, not kept, or kept without being there. */
export async function differences(world: JiraWorld, dataDir: string): Promise<readonly string[]> {
  const store = openSqliteStore(dataDir);
  try {
    const issues = store.issues('jira');
    const titles = createFieldTitles();
    titles.learn((await issues.directory()).fields);
    const left = new Set(world.ids());
    const wrong: string[] = [];
    for (let revision = 0; ; ) {
      const chunk = await issues.changedSince(revision, CHUNK);
      for (const { issue } of chunk.issues) {
        const id = issue.id ?? issue.key;
        if (!left.delete(id) || spelled(issue) !== spelled(titles.useIds(sourceOf(world, id))))
          wrong.push(id);
      }
      if (chunk.revision === revision) break;
      revision = chunk.revision;
    }
    return [...wrong, ...left];
  } finally {
    store.close();
  }
}

/** What the source's own full JSON says, its changelog oldest first as it is always kept. */
function sourceOf(world: JiraWorld, id: string) {
  const { changelog, ...raw } = world.whole(id);
  const told = [...(changelog?.histories ?? [])];
  const histories = world.mode === 'cloud' ? told.toReversed() : told;
  const whole = { ...raw, changelog: { startAt: 0, total: told.length, histories } };
  const read = readIssue(whole, { lack: null });
  if ('reason' in read) throw new Error(read.reason);
  return { ...read.issue, id, link: `${world.site}/browse/${read.issue.key}` };
}

/** Members of an issue come in the order in which it was put together. */
function spelled(issue: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(issue).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
