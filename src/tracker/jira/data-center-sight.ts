import { z } from 'zod';
import { AppError } from '../../model/error.ts';
import type { User } from '../../model/issue.ts';
import type { Sight } from '../../model/sight.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import type { Browsable, LevelledIssue } from '../live-tracker.ts';
import { type JiraClient, JiraRefusal } from './jira-client.ts';
import { mapAtMost } from './map-at-most.ts';

const PAGE = 100;
/** People whose names begin with the same login; nobody has more of them. */
const MOST_PAGES = 10;
const AT_ONCE = 8;
/** Issues that are asked about one by one for one person; the rest of them stays closed. */
const MOST_NAMED = 100;
/** Issues that may stand for all of a level, for one of them may be gone. */
const MOST_REPRESENTATIVES = 3;

const found = z.array(z.unknown());

/** Whether the person may browse this; null: there is no such thing, or none that our account may see. */
type MayBrowse = (
  about: { readonly projectKey: string } | { readonly issueKey: string },
) => Promise<boolean | null>;

/**
 * What somebody may browse in Jira Data Center, which tells who may browse one project or one issue. Issues of a
 * project with the same security level that do not name the person are open all or none, so one of them is asked about.
 */
export async function dataCenterSight(client: JiraClient, user: User, about: Browsable): Promise<Sight> {
  const mayBrowse = mayBrowseOf(client, user);
  const projects = await openOnes(about.projects, (projectKey) => mayBrowse({ projectKey }));
  const open = new Set(projects);
  const levels = Map.groupBy(
    about.levelled.filter(({ project }) => open.has(project)),
    ({ project, level }) => `${project} ${level}`,
  );
  const decided = await mapAtMost(AT_ONCE, [...levels.values()], (issues) =>
    decideLevel(issues, user, mayBrowse),
  );
  const named = decided.flatMap(({ toAsk }) => toAsk).slice(0, MOST_NAMED);
  const openNamed = await openOnes(
    named.map(({ key }) => key),
    (issueKey) => mayBrowse({ issueKey }),
  );
  return { projects: open, levelled: new Set([...decided.flatMap((one) => one.open), ...openNamed]) };
}

async function openOnes(
  keys: readonly string[],
  mayBrowse: (key: string) => Promise<boolean | null>,
): Promise<string[]> {
  const told = await mapAtMost(AT_ONCE, keys, async (key) => ((await mayBrowse(key)) ? [key] : []));
  return told.flat();
}

/** The keys that are open for sure, and the issues that have to be asked about one by one. */
async function decideLevel(
  issues: readonly LevelledIssue[],
  user: User,
  mayBrowse: MayBrowse,
): Promise<{ readonly open: readonly string[]; readonly toAsk: readonly LevelledIssue[] }> {
  const [naming, others] = [true, false].map((names) =>
    issues.filter(({ people }) => people.includes(user.id) === names),
  );
  for (const { key } of others?.slice(0, MOST_REPRESENTATIVES) ?? []) {
    const may = await mayBrowse({ issueKey: key });
    // To be named in an issue opens it or leaves it as it is.
    if (may) return { open: issues.map((issue) => issue.key), toAsk: [] };
    if (may === false) break;
  }
  return { open: [], toAsk: naming ?? [] };
}

function mayBrowseOf(client: JiraClient, user: User): MayBrowse {
  return async (about) => {
    try {
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const place = { startAt: String(page * PAGE), maxResults: String(PAGE) };
        const query = { username: user.login ?? user.id, ...about, ...place };
        const people = await client.ask({ method: 'GET', path: '/user/viewissue/search', query }, found);
        // Whoever is called by a longer name is found as well.
        if (people.some((one) => readBeside(one)?.users[0]?.id === user.id)) return true;
        if (people.length < PAGE) return false;
      }
      return false;
    } catch (error) {
      if (!(error instanceof JiraRefusal)) throw error;
      if ([400, 404].includes(error.status)) return null;
      throw new AppError(
        'unavailable',
        `Jira does not tell who may browse: ${error.message}`,
        ["The account needs the global permission 'Browse Users' for that, or set JIRA_RIGHTS=rules."],
        { cause: error },
      );
    }
  };
}
