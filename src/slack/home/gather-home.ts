import { millisecondsInDay } from 'date-fns/constants';
import type { Message } from '../../block-kit/message.ts';
import type { Mine } from '../../model/answer.ts';
import type { Coverage } from '../../model/delegation.ts';
import { AppError } from '../../model/error.ts';
import { type Principal, principalIn } from '../../model/principal.ts';
import { ask } from '../../model/request.ts';
import type { AssignedPreview } from '../../questions/answers.ts';
import { calendarIdOf } from '../../questions/parse/read-calendar.ts';
import { dayAt, firstInstantFrom } from '../../time/wall-clock.ts';
import { hoursHere } from '../app/hours-here.ts';
import { namesOf, notice } from '../app/message-texts.ts';
import type { HomeParts, LinkingParts, SlackParts } from '../app/parts.ts';
import { tryAgain } from '../app/slack-refusal.ts';
import { knownSync } from '../app/sync-lines.ts';
import { stillToCome } from '../delegates/cover-week.ts';
import { askAdmin } from '../delegates/cover-words.ts';
import { exportTitle, exportTitleText } from '../exports/export-messages.ts';
import { loginOf, type Member } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';
import { principalsOf, resolvePrincipal } from '../people/principals.ts';
import {
  type Cover,
  emptyHome,
  type Facts,
  type Files,
  type Ground,
  type HomeContent,
  partFailure,
  type Scheduled,
  type Section,
  type Who,
} from './home-content.ts';
import { findWeeks } from './week-blocks.ts';

/** A Home tab that is being filled: a part that fails tells why, and takes no other with it. */
interface Gathering {
  /** What is known so far. */
  content(): HomeContent;
  /** Finds what takes but a moment. */
  quickly(): Promise<void>;
  /** Counts what waits on the person, and for how long it has. */
  countWaiting(): Promise<void>;
  /** Holds that against what is usual. */
  countUsual(): Promise<void>;
  /** Counts the weeks of their projects, which are those of what waits on them unless they chose others. */
  countWeeks(): Promise<void>;
}

type Part = keyof Omit<HomeContent, 'at' | 'usual'>;
type ValueOf<Name extends Part> = HomeContent[Name] extends Section<infer Value> ? Value : never;

/** Begins with nothing known. */
export function gatherHome(account: string, parts: HomeParts): Gathering {
  let content = emptyHome(parts.now());
  let found: Promise<Found> | null = null;
  let glance: AssignedPreview | null = null;
  const whoAsks = () => {
    found ??= findWho(account, parts);
    return found;
  };
  // Without an answer to who asks there is nothing that waits on them, and nothing else they may see.
  const memberWho = async () => (await whoAsks().catch(() => null))?.member ?? null;

  async function fill<Name extends Part>(name: Name, find: () => Promise<ValueOf<Name>>): Promise<void> {
    try {
      const value = await find();
      content = { ...content, [name]: { state: 'known', value } };
    } catch (error) {
      const why = partFailure(error, { home: name }, parts.log);
      content = { ...content, [name]: { state: 'failed', why, isPassingFailure: isPassingFailure(error) } };
    }
  }

  async function findMine(): Promise<Mine | null> {
    const member = await memberWho();
    if (member === null) return null;
    const hours = await hoursHere({ channel: account }, account, parts);
    glance = await parts.answers.previewAssigned(member.principal, { kind: 'mine', ...hours });
    return glance.ages;
  }

  async function findTelling(): Promise<Scheduled> {
    const owner = principalIn(parts.people.tenant, account);
    const [digests, watches] = await Promise.all([
      parts.digests.list(owner, null),
      parts.watches.list(owner),
    ]);
    return { digests, watches };
  }

  return {
    content: () => content,
    async quickly() {
      // What people are told by itself is known whatever Slack says of them.
      const telling = fill('telling', findTelling);
      const member = await memberWho();
      await Promise.all([
        telling,
        fill('who', async () => (await whoAsks()).who),
        fill('cover', async () => (member === null ? null : findCover(member, parts))),
        fill('files', () => findFiles(account, parts)),
        fill('sync', () => parts.sync.status()),
        fill('facts', async () => findFacts(account, (await whoAsks()).principal, parts)),
        ...(member === null ? [fill('waiting', async () => null)] : []),
      ]);
    },
    async countWaiting() {
      if (content.waiting.state === 'counting') await fill('waiting', findMine);
    },
    async countUsual() {
      if (glance === null || hasNoAges(glance.ages)) return;
      try {
        const value = await glance.withBaseline();
        content = { ...content, waiting: { state: 'known', value }, usual: 'known' };
      } catch (error) {
        // The ages stay; the log has why they are held against nothing.
        partFailure(error, { home: 'usual' }, parts.log);
        content = { ...content, usual: 'failed' };
      }
    },
    async countWeeks() {
      const mine = content.waiting.state === 'known' ? content.waiting.value : null;
      await fill('weeks', async () =>
        findWeeks(account, { principal: (await whoAsks()).principal, mine }, parts),
      );
    },
  };
}

/** There is nothing that could be held against what is usual. */
function hasNoAges({ own, covered }: Mine): boolean {
  return [own, ...covered.map(({ aging }) => aging)].every(({ issues }) => issues.length === 0);
}

/** With which rights somebody asks, and what the tab tells of who they are. `member` null: nobody knows. */
interface Found {
  readonly principal: Principal;
  readonly member: Member | null;
  readonly who: Who;
}

/** Who somebody is in the tracker. Fails as `resolvePrincipal`. */
async function findWho(account: string, parts: LinkingParts): Promise<Found> {
  const person = {
    principal: principalIn(parts.people.tenant, account),
    userName: await nameOf(account, parts),
  };
  const identified = await identify(person, parts);
  if ('refusal' in identified) {
    const principal = await resolvePrincipal(account, parts);
    return { principal, member: null, who: { kind: 'unknown', invitation: identified.refusal } };
  }
  const { member } = identified;
  const { user } = member;
  return {
    principal: member.principal,
    member,
    who: { kind: 'known', name: user.name, login: loginOf(user), admin: member.principal.rights === 'admin' },
  };
}

/** The name an invitation is made out to; one that is not told is no reason to invite nobody. */
async function nameOf(account: string, { accounts }: Pick<SlackParts, 'accounts'>): Promise<string> {
  const profile = await accounts.profileOf(account).catch(() => null);
  return profile?.name ?? account;
}

const DAYS = 14;

/** Whom somebody covers and who covers them from now until two weeks after today, on their clocks. */
async function findCover(
  member: Member,
  parts: Pick<SlackParts, 'delegations' | 'now' | 'people'>,
): Promise<Cover | Message> {
  const { delegations, people, now } = parts;
  const { principal, user, timeZone } = member;
  if ((await delegations.rightOf(principal)) === 'none') {
    return notice('You do not have permission to view delegations.', askAdmin(member, '--view'));
  }
  const at = now();
  const until = firstInstantFrom(dayAt(at, timeZone) + DAYS * millisecondsInDay, timeZone);
  const coverage = await delegations.coverage(principal, { from: at, until });
  const names = namesOf(await people.users(), await delegations.categories(principal));
  return { person: user.id, coverage: ownCoverage(stillToCome(coverage, at), user.id), names };
}

/** Who may view all gets everybody's; here only their own counts. */
function ownCoverage(coverage: Coverage, user: string): Coverage {
  const concerns = (one: Coverage['delegations'][number]) =>
    one.delegator === user || one.delegates.includes(user);
  return {
    ...coverage,
    delegations: coverage.delegations.filter(concerns),
    uncovered: coverage.uncovered.filter(({ person }) => person === user),
    awayToo: coverage.awayToo.filter(({ person, delegate }) => person === user || delegate === user),
    ending: coverage.ending.filter(concerns),
  };
}

/** What counts for somebody, and how fresh it is; told by one issue, for all of them would take long. */
async function findFacts(account: string, principal: Principal, parts: HomeParts): Promise<Facts> {
  const { reporting, settings } = parts;
  const [hours, calendars, exampleKeys] = await Promise.all([
    hoursHere({ channel: account }, account, parts),
    settings.calendars(principal),
    reporting.exampleKeys(principal, 1),
  ]);
  const calendar = calendars.find((one) => calendarIdOf(one) === hours.calendar);
  return {
    calendar: calendar === undefined ? hours.calendar : calendar.id === null ? null : calendar.name,
    timeZone: hours.timeZone,
    exampleKeys,
    ground: await groundOf(exampleKeys, principal, parts),
  };
}

async function groundOf(
  keys: readonly string[],
  principal: Principal,
  { reporting }: Pick<SlackParts, 'reporting'>,
): Promise<Ground | null> {
  if (keys.length === 0) return null;
  const request = ask({ principal, reportType: 'statusCount', selection: { by: 'keys', keys } });
  const { value } = await knownSync(reporting.report(request));
  if (value === null) return null;
  return { tracker: value.provenance.tracker, dataAsOf: value.provenance.dataAsOf };
}

const SHOWN = 3;

/** Somebody's last exports, whether they were asked for before or after it was known who they are. */
async function findFiles(account: string, parts: HomeParts): Promise<Files> {
  const { exports, reporting } = parts;
  const lists = await Promise.all(
    (await principalsOf(account, parts)).map((principal) =>
      exports.list(principal, { start: 0, size: SHOWN }),
    ),
  );
  const records = lists.flatMap((list) => list.records).toSorted((a, b) => b.createdAt - a.createdAt);
  const shown = records.slice(0, SHOWN);
  return {
    files: shown.map((record) => ({ title: exportTitleText(exportTitle(record.input, reporting)), record })),
    more: lists.reduce((sum, { total }) => sum + total, 0) - shown.length,
  };
}

/** Whether asking again may help; a right that is missing does not come by itself, nor does a newer service. */
function isPassingFailure(error: unknown): boolean {
  const told = tryAgain(error);
  if (!(told instanceof AppError)) return true;
  const { code, reason } = told;
  return code !== 'not-allowed' && code !== 'not-authenticated' && reason !== 'service-too-old';
}
