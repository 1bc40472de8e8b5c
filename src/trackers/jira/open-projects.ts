import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { Browsable, SingleIssue } from '../live-tracker.ts';
import type { IsGranted } from './granted-for-sure.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused } from './jira-failures.ts';
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
 * whom a field names, may browse an issue, whoever that is. A project whose scheme fails stays closed like one whose
 * scheme may not be read; only where all fail, or our account is not let in, is that the failure of the whole.
 */
export async function openProjects(
  keys: readonly string[],
  about: Browsable,
  { client, holdersOf, isGranted }: SchemeParts,
): Promise<OpenProjects> {
  const failures: AppError[] = [];
  const found = await mapLimited(AT_ONCE, keys, async (key) => {
    const holders = await orFailure(holdersOf(key, client));
    if (holders instanceof AppError) failures.push(holders);
    if (holders === null || holders instanceof AppError) return { key, how: 'unreadable' } as const;
    const isWhole = !holders.dependsOnIssue || (await isGranted(holders));
    return { key, how: isWhole ? 'whole' : 'partly' } as const;
  });
  const [failure] = failures;
  if (failure !== undefined && failures.length === keys.length) throw failure;
  const those = (how: (typeof found)[number]['how']) =>
    new Set(found.filter((one) => one.how === how).map(({ key }) => key));
  const [whole, partly, unreadable] = [those('whole'), those('partly'), those('unreadable')];
  const lost = about.singles.filter(({ project }) => unreadable.has(project)).length;
  return {
    whole,
    partly,
    unasked: [...unreadable].reduce((sum, key) => sum + about.unlevelledIn(key), lost),
    async goesByLikeness(key) {
      if (whole.has(key)) return true;
      const holders = await orFailure(holdersOf(key, client));
      return holders !== null && !(holders instanceof AppError) && holders.isKnown;
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

async function orFailure<Answer>(asking: Promise<Answer>): Promise<Answer | AppError> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
    return error;
  }
}
