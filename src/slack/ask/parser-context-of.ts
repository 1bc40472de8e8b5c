import { checksOf } from '../../api/answers/index.ts';
import { sprintNow } from '../../api/answers/sprint/find-sprint.ts';
import { asLiteral } from '../../api/reporting/query-text.ts';
import { normalHoursDefinition } from '../../api/settings/local-settings.ts';
import type { Sprint } from '../../model/directory.ts';
import { AppError, badRequestAs } from '../../model/error.ts';
import type { Instant } from '../../model/issue.ts';
import { compareText } from '../../model/issues/ids-and-names.ts';
import { reportIds } from '../../model/report-ids.ts';
import { ask, closedTo, type Principal } from '../../model/request.ts';
import { countOf } from '../../output/figure-words.ts';
import type { Place } from '../app/handler-types.ts';
import { hoursHere, isDirect } from '../app/hours-here.ts';
import type { ReadingParts, SlackParts } from '../app/parts.ts';
import { orElse, typedSentences } from '../app/show-failure.ts';
import { someOf } from '../blocks/message.ts';
import { codeText } from '../blocks/mrkdwn.ts';
import { knownPrincipal, resolvePrincipal } from '../people/accounts.ts';
import { offeredReports } from './grammar/parse-options.ts';
import type { DefaultProjects, ParserContext } from './grammar/parser-context.ts';

/** The meanings that the words of an account can have in a place. */
export async function parserContextOf(
  account: string,
  place: Pick<Place, 'channel' | 'inView'>,
  parts: ReadingParts,
): Promise<ParserContext> {
  const { reporting, settings, people, now } = parts;
  const principal = await resolvePrincipal(account, parts);
  const check = (more: Partial<Parameters<typeof ask>[0]>) => {
    const everything = { by: 'jql', jql: '' } as const;
    return reporting.check(
      ask({ principal, reportType: reportIds.statusDuration, selection: everything, ...more }),
    );
  };
  const isFine = (request: Parameters<typeof check>[0]) =>
    orElse(
      check(request).then(() => true),
      () => false,
      'bad-request',
    );
  const nameOf = async (user: string) => (await people.users()).get(user)?.name ?? user;
  return {
    principal,
    hours: await hoursHere(place, account, parts),
    now: now(),
    reportTypes: offeredReports(reporting.reportTypes),
    // A question that names no calendar is answered without a list of them.
    calendars: await orElse(settings.calendars(principal), () => [normalHoursDefinition]),
    words: parts.commands.flatMap(({ root, word }) => (root === '/tis' && word !== null ? [word] : [])),
    isProject: (project) => isFine({ selection: { by: 'project', project } }),
    async knownBeside(kind, name) {
      const jql = `${kind} = ${asLiteral(name)}`;
      return orElse(
        check({ selection: { by: 'jql', jql } }).then(() => null),
        ({ data: { known: names = [], unlisted = 0 } }) => ({ names, unlisted }),
        'bad-request',
      );
    },
    async sprintNames() {
      const sprints = await orElse(reporting.sprints(principal), () => [], 'unsupported-by-service');
      return sprints.toSorted((a, b) => begunAt(b) - begunAt(a)).map(({ name }) => name);
    },
    isQuery: (jql) => isFine({ selection: { by: 'jql', jql } }),
    async valuesOf(field) {
      // Refusing a value that there is not, the port says which there are.
      const jql = `${field} = ${asLiteral(NO_VALUE)}`;
      return orElse(
        check({ selection: { by: 'jql', jql } }).then(() => []),
        ({ data: { known = [] } }) => known,
      );
    },
    // A service elsewhere may have no such list.
    statuses: () => orElse(reporting.statuses(principal), () => []),
    people: () => orElse(reporting.choices(principal), () => ({ people: [] })).then(({ people }) => people),
    sprintNow: (which, selection) =>
      orElse(sprintNow(which, selection, { principal, asOf: now(), reporting }), () => null),
    isField: (field) => isFine({ groupBy: [field] }),
    async userOf(mentioned) {
      const known = await knownPrincipal(mentioned, parts);
      if (known !== null) return known.account;
      throw badRequestAs(
        'unknown-name',
        "I don't know who that is in Jira. Try: their name in Jira, or mention someone whose account is linked.",
      );
    },
    nameOf,
    async self() {
      const known = await knownPrincipal(account, parts);
      if (known === null) {
        throw badRequestAs(
          'unknown-name',
          "I don't know your Jira user, so I can't use 'me' or currentUser(). Try: a name in Jira, or /tis link.",
        );
      }
      return { id: known.account, name: await nameOf(known.account) };
    },
    defaultProjects: () => usualProjects(place, account, principal, parts),
    parameterSets: () => settings.parameterSets(principal),
    async check(question) {
      for (const request of checksOf(question, principal)) {
        const refuse = (error: AppError): never => {
          const { reason, message, fields, data } = error;
          const sentences = typedSentences(error, request.selection);
          throw new AppError(reason, message, sentences, { fields, data, cause: error });
        };
        await orElse(reporting.check(request), refuse, 'bad-request');
      }
    },
  };
}

const NO_VALUE = '\u2068no value\u2069';

/** One that has not begun comes last. */
function begunAt({ state, start }: Sprint): Instant {
  return state === 'future' ? -1 : (start ?? 0);
}

interface Parts extends Pick<SlackParts, 'reporting'> {
  readonly channels: Pick<SlackParts['channels'], 'channel' | 'preferences'>;
}

/**
 * The projects an admin chose for a channel (in a direct message, for the one in view), else those of the principal's Home tab, else where most of their issues are:
 * of each only what the principal may see.
 */
export async function usualProjects(
  { channel, inView }: Pick<Place, 'channel' | 'inView'>,
  account: string,
  principal: ParserContext['principal'],
  parts: Parts,
): Promise<DefaultProjects | null> {
  const meant = isDirect(channel) ? inView : channel;
  const allowed = meant === undefined ? [] : ((await parts.channels.channel(meant)).projects ?? []);
  const { projects: own } = await parts.channels.preferences(account);
  const isClosed = closedTo(await parts.reporting.browseScope(principal));
  const seenOf = (chosen: readonly string[], because: string): DefaultProjects | null => {
    const projects = chosen.filter((key) => !isClosed?.(key));
    if (projects.length === 0) return null;
    return { projects, remark: remarkOf(projects, because, chosen.length - projects.length) };
  };
  const usual =
    seenOf(
      allowed.map(({ key }) => key),
      meant === channel ? 'as chosen for this channel' : `as chosen for <#${meant}>, which you have open`,
    ) ?? seenOf(own ?? [], 'as you chose for your Home tab');
  if (usual !== null) return usual;
  const usualProject = await mostAssigned(principal, parts);
  return usualProject === null
    ? null
    : { projects: [usualProject], remark: remarkOf([usualProject], 'where most of your issues are', 0) };
}

/** An issue to try things with: of the project that a question without one means here, else any; null where none can be seen. */
export async function exampleKey(
  principal: Principal,
  place: Pick<Place, 'channel' | 'inView'>,
  account: string,
  parts: Parts,
): Promise<string | null> {
  const { exampleKeys } = parts.reporting;
  const ofUsual = async () => {
    const [project] = (await usualProjects(place, account, principal, parts))?.projects ?? [];
    return project === undefined ? [] : exampleKeys(principal, 1, project);
  };
  const [usual] = await orElse(ofUsual(), () => []);
  return usual ?? (await exampleKeys(principal, 1))[0] ?? null;
}

function remarkOf(projects: readonly string[], because: string, unseen: number): string {
  const beside = unseen === 0 ? '' : `, without ${countOf(unseen, 'project')} you can't see`;
  return `No project given, so this is about ${someOf(projects.map(codeText))}, ${because}${beside}.`;
}

/** Key of the project with the most issues assigned to the principal; null where there is none. */
async function mostAssigned(
  principal: ParserContext['principal'],
  { reporting }: Parts,
): Promise<string | null> {
  if (principal.rights === 'stranger') return null;
  const counts = await reporting.assignedProjects(principal);
  const [first] = [...counts].toSorted(([a, many], [b, others]) => others - many || compareText(a, b));
  return first?.[0] ?? null;
}
