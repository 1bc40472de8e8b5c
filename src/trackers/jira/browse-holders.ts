import { millisecondsInHour, millisecondsInMinute } from 'date-fns/constants';
import { z } from 'zod';
import { createNamespace } from '../../cache/namespace.ts';
import { mapLimited } from '../../http-client/map-limited.ts';
import { AppError } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { readBeside } from '../jira-json/read-beside.ts';
import { idText } from '../jira-json/read-references.ts';
import type { JiraClient } from './jira-client.ts';
import { areCredentialsRefused, JiraRefusal, permissionCure } from './jira-failures.ts';

/**
 * To whom a project's permission scheme grants Browse Projects. The last five members are what grants it without a look at any
 * issue.
 */
export interface BrowseHolders {
  /**
   * True where a holder differs from issue to issue, so that the right to browse the project does not open each of its
   * issues.
   */
  readonly dependsOnIssue: boolean;
  /** There is no holder but those whose meaning is known. */
  readonly isKnown: boolean;
  /** True where those who are none of the holders below can browse no issue, because all members of roles are known. */
  readonly isExhaustive: boolean;
  /** True where everyone may browse, logged in or not. */
  readonly anyone: boolean;
  /** Ids of people. */
  readonly people: ReadonlySet<string>;
  /** Logins of people: the only identity that Data Center shows for those in a role. */
  readonly logins: ReadonlySet<string>;
  /** Ids or names of groups. */
  readonly groups: ReadonlySet<string>;
  /** Keys of the licences whose owners are meant; '' is any. */
  readonly licences: ReadonlySet<string>;
}

const BROWSE = 'BROWSE_PROJECTS';

/** The types of holders that differ from issue to issue. A type in neither list may as well. */
const perIssue: readonly string[] = ['reporter', 'assignee', 'userCustomField', 'groupCustomField'];
const perProject: readonly string[] = [
  ...['anyone', 'applicationRole', 'group', 'user', 'projectRole', 'projectLead'],
];

const holder = z.object({
  type: z.string(),
  parameter: z.string().nullish(),
  value: z.string().nullish(),
});
const scheme = z.object({ permissions: z.array(z.unknown()) });
const grant = z.object({ permission: z.literal(BROWSE), holder });
const otherGrant = z.object({ permission: z.string().refine((permission) => permission !== BROWSE) });
type Holder = z.output<typeof holder>;

const role = z.object({
  actors: z
    .array(
      z.object({
        type: z.string(),
        name: z.string().nullish(),
        actorUser: z.object({ accountId: z.string().nullish() }).nullish(),
        actorGroup: z.object({ groupId: z.string().nullish(), name: z.string().nullish() }).nullish(),
      }),
    )
    .nullish(),
});
const led = z.object({ id: idText, lead: z.unknown() });

/**
 * Reads the permission scheme of a project; null: Jira does not show it to our account. Roles and the lead are looked
 * up only where a holder depends on issues, or `withMembers`, and those that Jira does not show grant nothing for certain. A
 * grant that cannot be read may be one to anyone, so it becomes a holder of unknown meaning.
 */
export async function askBrowseHolders(
  client: JiraClient,
  projectKey: string,
  { withMembers = false }: { readonly withMembers?: boolean } = {},
): Promise<BrowseHolders | null> {
  const project = `/project/${encodeURIComponent(projectKey)}`;
  const answer = await orNull(
    client.ask(
      {
        method: 'GET',
        path: `${project}/permissionscheme`,
        isPriority: true,
        query: { expand: 'permissions' },
      },
      scheme,
    ),
  );
  if (answer === null) return null;
  const grants = answer.permissions.filter((one) => !otherGrant.safeParse(one).success);
  const holders = grants.flatMap((one) => grant.safeParse(one).data?.holder ?? []);
  const types = new Set(holders.map(({ type }) => type));
  const isKnown =
    holders.length === grants.length &&
    [...types].every((type) => perIssue.includes(type) || perProject.includes(type));
  const dependsOnIssue = !isKnown || perIssue.some((type) => types.has(type));
  const named = (type: string) => holders.filter((one) => one.type === type).flatMap(namesOf);
  const readsMembers = dependsOnIssue || withMembers;
  const roles = readsMembers ? holders.filter(({ type }) => type === 'projectRole') : [];
  const actors: Actors[] = [];
  for (const one of roles) actors.push(await askRole(client, project, one));
  const lead = readsMembers && types.has('projectLead') ? await askLead(client, project) : [];
  return {
    dependsOnIssue,
    isKnown,
    isExhaustive:
      !dependsOnIssue &&
      withMembers &&
      actors.every(({ areAll }) => areAll) &&
      (!types.has('projectLead') || lead.length > 0),
    anyone: types.has('anyone'),
    people: new Set([...named('user'), ...lead, ...actors.flatMap(({ people }) => people)]),
    logins: new Set(actors.flatMap(({ logins }) => logins)),
    groups: new Set([...named('group'), ...actors.flatMap(({ groups }) => groups)]),
    licences: new Set(
      holders.filter(({ type }) => type === 'applicationRole').map(({ parameter }) => parameter ?? ''),
    ),
  };
}

/** Cloud sends a group's name as well as its id, which stays when the name changes. */
function namesOf({ parameter, value }: Holder): readonly string[] {
  const name = value || parameter;
  return name ? [name] : [];
}

/** The members of a role; `areAll`: it has no others. */
interface Actors {
  readonly areAll: boolean;
  readonly people: readonly string[];
  readonly logins: readonly string[];
  readonly groups: readonly string[];
}

async function askRole(client: JiraClient, project: string, { parameter, value }: Holder): Promise<Actors> {
  const id = parameter || value || '';
  const answer = await orNull(
    client.ask({ method: 'GET', path: `${project}/role/${encodeURIComponent(id)}`, isPriority: true }, role),
  );
  const actors = answer?.actors ?? [];
  const people = actors.filter(({ type }) => type === 'atlassian-user-role-actor');
  const groups = actors.filter(({ type }) => type === 'atlassian-group-role-actor');
  const members = {
    people: people.flatMap(({ actorUser }) => actorUser?.accountId ?? []),
    logins: people.flatMap(({ actorUser, name }) => (actorUser ? [] : (name ?? []))),
    groups: groups.flatMap(({ actorGroup, name }) => actorGroup?.groupId ?? actorGroup?.name ?? name ?? []),
  };
  const named = members.people.length + members.logins.length + members.groups.length;
  return { ...members, areAll: answer !== null && named === actors.length };
}

async function askLead(client: JiraClient, project: string): Promise<readonly string[]> {
  const answer = await orNull(client.ask({ method: 'GET', path: project, isPriority: true }, led));
  return (readBeside(answer?.lead)?.users ?? []).map(({ id }) => id);
}

async function orNull<Answer>(request: Promise<Answer>): Promise<Answer | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof JiraRefusal) return null;
    throw error;
  }
}

/** Enough to meet what is wrong with many, without asking for long. */
const PROJECTS = 20;
const CONCURRENCY = 4;

/**
 * The problem with projects that stay closed because Jira does not show their permission schemes, and the remedy; null
 * where there are none.
 */
export async function unreadSchemes(client: JiraClient, keys: Iterable<string>): Promise<string | null> {
  const looked = [...keys].slice(0, PROJECTS);
  const failures: AppError[] = [];
  const read = await mapLimited(CONCURRENCY, looked, async (key) => {
    try {
      return { key, how: (await askBrowseHolders(client, key)) === null ? 'refused' : 'read' } as const;
    } catch (error) {
      if (!(error instanceof AppError) || areCredentialsRefused(error)) throw error;
      failures.push(error);
      return { key, how: 'failed' } as const;
    }
  });
  const those = (how: (typeof read)[number]['how']) =>
    read.filter((one) => one.how === how).map(({ key }) => key);
  const [refused, failed] = [those('refused'), those('failed')];
  const [failure] = failures;
  const sentences = [
    ...(refused.length === 0 ? [] : [`${refusedText(refused, looked.length)} ${permissionCure}`]),
    ...(failure === undefined ? [] : [`${closedText(failed)}: ${failure.message}`]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

function refusedText(refused: readonly string[], looked: number): string {
  return refused.length === looked
    ? "Jira does not show Dwell's account any permission scheme, so only admins see issues."
    : `${closedText(refused)}.`;
}

function closedText(keys: readonly string[]): string {
  const [scheme, project] =
    keys.length === 1 ? ['scheme', 'this project stays'] : ['schemes', 'these projects stay'];
  return `The permission ${scheme} of ${keys.join(', ')} cannot be read, so ${project} closed to all but admins`;
}

/** Shorter, so that a new permission of our account takes effect soon. */
const REFUSED_MS = 5 * millisecondsInMinute;
/** Enough that not every principal waits for a project that fails. */
const FAILED_MS = 30_000;
const MAX_PROJECTS = 10_000;

/** To whom the project with a key is open; null: its permission scheme may not be read. */
export type HoldersOf = (projectKey: string, client: JiraClient) => Promise<BrowseHolders | null>;

type Looked = { readonly holders: BrowseHolders | null } | { readonly failure: unknown };

/**
 * Reads each permission scheme once an hour, for all users. A failed read is repeated after half a minute, and at once
 * where our account had no access.
 */
export function rememberBrowseHolders(now: () => Instant): HoldersOf {
  const schemes = createNamespace<Looked>({
    name: 'jira-browse-holders',
    ttlMs(looked) {
      if ('failure' in looked) return areCredentialsRefused(looked.failure) ? 0 : FAILED_MS;
      return looked.holders === null ? REFUSED_MS : millisecondsInHour;
    },
    maxEntries: MAX_PROJECTS,
    now,
    // The wait after a failure begins when it is known, however long that took.
    ages: (looked) => ('failure' in looked ? 'answered' : 'asked'),
  });
  return async (projectKey, client) => {
    const looked = await schemes.getOrMake(projectKey, () =>
      askBrowseHolders(client, projectKey).then(
        (holders) => ({ holders }),
        (failure: unknown) => ({ failure }),
      ),
    );
    if ('failure' in looked) throw looked.failure;
    return looked.holders;
  };
}
