import { mapAtMost } from '../../outgoing/map-at-most.ts';
import type { Browsable, SingleIssue } from '../live-tracker.ts';
import type { IsGranted } from './granted-for-sure.ts';
import type { JiraClient } from './jira-client.ts';
import type { HoldersOf } from './remember-browse-holders.ts';

const AT_ONCE = 4;

/** What somebody who may browse some projects sees of them. */
export interface OpenProjects {
  /** Open with each of their issues that has no level. */
  readonly whole: ReadonlySet<string>;
  /** Open issue by issue. */
  readonly partly: ReadonlySet<string>;
  /** How many issues stay closed because nobody may know to whom their project is open. */
  readonly unasked: number;
  /** Whether issues of a project that are alike are open all or none. */
  readonly goesByLikeness: (projectKey: string) => Promise<boolean>;
}

/** What the permission schemes are looked up with. */
export interface SchemeParts {
  readonly client: JiraClient;
  readonly holdersOf: HoldersOf;
  readonly isGranted: IsGranted;
}

/**
 * Sorts projects of which Jira says that a person may browse them. It says so as well where only the reporter, or
 * whom a field names, may browse an issue, whoever that is.
 */
export async function openProjects(
  keys: readonly string[],
  about: Browsable,
  { client, holdersOf, isGranted }: SchemeParts,
): Promise<OpenProjects> {
  const found = await mapAtMost(AT_ONCE, keys, async (key) => {
    const holders = await holdersOf(key, client);
    if (holders === null) return { key, how: 'unreadable' } as const;
    const isWhole = !holders.dependsOnIssue || (await isGranted(holders));
    return { key, how: isWhole ? 'whole' : 'partly' } as const;
  });
  const those = (how: (typeof found)[number]['how']) =>
    new Set(found.filter((one) => one.how === how).map(({ key }) => key));
  const [whole, partly, unreadable] = [those('whole'), those('partly'), those('unreadable')];
  const lost = about.singles.filter(({ project }) => unreadable.has(project)).length;
  return {
    whole,
    partly,
    unasked: [...unreadable].reduce((sum, key) => sum + about.unlevelledIn(key), lost),
    async goesByLikeness(key) {
      return whole.has(key) || (await holdersOf(key, client))?.isKnown === true;
    },
  };
}

/**
 * The issues that are to be asked about one by one, those with a level first: of open projects, and of those about
 * which nothing was asked now.
 */
export function* toAskSingly(
  { singles, projects, unlevelled }: Browsable,
  { whole, partly }: OpenProjects,
): Generator<SingleIssue> {
  const asked = new Set(projects);
  for (const issue of singles) {
    const { project } = issue;
    if (whole.has(project) || partly.has(project) || !asked.has(project)) yield issue;
  }
  for (const project of partly) yield* unlevelled(project);
}
