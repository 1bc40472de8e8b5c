import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants';
import type { FieldContent, FieldValue, Instant } from '../../model/issue.ts';
import { company, type ProjectKey, projectKeys } from './company.ts';
import type { Draft, Edit } from './issue-life.ts';
import { createRandom } from './random.ts';
import type { World } from './sample-world.ts';

/** The field of Jira's flag, and its only option. */
const FLAGGED = 'customfield_10021';
const impediment: FieldValue = { id: '10019', name: 'Impediment' };

/** The field of links to other issues. */
const LINKS = 'issuelinks';

/** Nothing is blocked in the first weeks (ms), whose issues may have lost their histories. */
const FIRST_WEEKS = 70 * millisecondsInDay;

/** The numbers of issues of a project that are flagged and linked at a time, as far as there are as many. */
const [FLAGS, LINKED] = [2, 1];
/** The chance of one more flag, and how many issues of a project are looked at on a day. */
const [ONE_MORE, MAX_A_DAY] = [0.2, 3];

/** Issues that wait for their start for longer (ms) are not looked at, and those that were flagged are again after that time. */
const FORGOTTEN = 60 * millisecondsInDay;
const AGAIN = 14 * millisecondsInDay;

const statusesOf = (wanted: string) =>
  new Set(company.statuses.flatMap(({ id, category }) => (category === wanted ? id : [])));
const [started, done] = [statusesOf('In Progress'), statusesOf('Done')];

/** A time in which an issue was in a status that is not done; until Infinity where it still is. */
interface Stay {
  readonly draft: Draft;
  readonly isStarted: boolean;
  readonly from: Instant;
  readonly until: Instant;
}

/** The person who blocks an issue, and when. */
type Author = Pick<Edit, 'at' | 'by'>;

/** The time until an instant in which an issue of a project is flagged, or linked to one that blocks it. */
interface Block {
  readonly project: ProjectKey;
  readonly kind: 'flag' | 'link';
  readonly until: Instant;
}

/**
 * The drafts with the flags and links of blocked issues, which have chance of their own: all else is as it was. A project in
 * which few issues are blocked on a day gets another one, so that some are on any day. A flag is removed after a while, or as
 * its issue is done. A link stays, and blocks until the other issue is done.
 */
export function blockIssues(drafts: readonly Draft[], world: World): Draft[] {
  const { seed, from, today, attendance } = world;
  // The key of a confidential issue, which a link has, is not for everyone.
  let stays = drafts.filter(({ first }) => first.security === undefined).flatMap(staysOf);
  const edits = new Map(drafts.map((draft): [Draft, Edit[]] => [draft, [...draft.edits]]));
  let blocks: Block[] = [];
  /** The instants until which issues are left as they are; Infinity for both ends of a link. */
  const taken = new Map<Draft, Instant>();

  const flag = (draft: Draft, { at, by }: Author, work: number) => {
    const all = edits.get(draft) ?? [];
    const finish = doneAfter(draft, at);
    const end = Math.round(attendance.clock(by).after(at, work));
    const until = Math.min(end, finish?.at ?? Infinity);
    all.push({ at, by, contents: { [FLAGGED]: [impediment] } });
    if (finish?.at === until)
      all[all.indexOf(finish)] = { ...finish, contents: { ...finish.contents, [FLAGGED]: null } };
    else if (until < today) all.push({ at: until, by, contents: { [FLAGGED]: null } });
    blocks.push({ project: draft.project, kind: 'flag', until });
    taken.set(draft, until + AGAIN);
  };

  const link = (blocked: Draft, blocker: Draft, { at, by }: Author) => {
    edits.get(blocked)?.push({ at, by, contents: { [LINKS]: [linkTo('is blocked by', blocker)] } });
    edits.get(blocker)?.push({ at, by, contents: { [LINKS]: [linkTo('blocks', blocked)] } });
    const ends = [blocked, blocker].map((draft) => doneAfter(draft, at)?.at ?? Infinity);
    blocks.push({ project: blocked.project, kind: 'link', until: Math.min(...ends) });
    taken.set(blocked, Infinity).set(blocker, Infinity);
  };

  for (let day = from + FIRST_WEEKS; day < today; day += millisecondsInDay) {
    stays = stays.filter(({ until }) => day < until);
    blocks = blocks.filter(({ until }) => day < until);
    const open = stays.filter((stay) => stay.from < day && (stay.isStarted || day - stay.from < FORGOTTEN));
    for (const project of projectKeys) {
      const random = createRandom(seed, 'blocked', project, day / millisecondsInDay);
      const isMore = random.chance(ONE_MORE);
      for (let i = 0; i < MAX_A_DAY; i += 1) {
        const free = open.filter(({ draft }) => (taken.get(draft) ?? 0) <= day);
        const inProject = free.filter(({ draft }) => draft.project === project);
        const atWork = inProject.filter((stay) => stay.isStarted);
        const own = atWork.length > 2 ? atWork : inProject;
        const current = blocks.filter((one) => one.project === project);
        const flags = current.filter(({ kind }) => kind === 'flag').length;
        const isFewLinks = current.length - flags < LINKED;
        if (own.length === 0 || !(isFewLinks || flags < FLAGS + (isMore ? 1 : 0))) break;
        const { draft, until } = random.pick(own);
        const by = ownerAt(draft, day);
        const clock = attendance.clock(by);
        const hours = clock.between(day, day + millisecondsInDay);
        const at = Math.round(clock.after(day, random.next() * hours));
        // Away that day, or the issue moves on before.
        if (hours === 0 || at >= until) continue;
        const others = free.filter((one) => at < one.until && one.draft !== draft);
        if (isFewLinks && others.length > 0) link(draft, random.pick(others).draft, { at, by });
        else flag(draft, { at, by }, random.logNormal(64 * millisecondsInHour, 0.7));
      }
    }
  }
  return drafts.map((draft) => ({
    ...draft,
    first: { ...draft.first, [FLAGGED]: null, [LINKS]: [] },
    edits: (edits.get(draft) ?? []).sort((a, b) => a.at - b.at),
  }));
}

/** The stays of an issue in statuses that are not done. */
function staysOf(draft: Draft): Stay[] {
  const entered: Pick<Edit, 'at' | 'contents'>[] = [{ at: draft.at, contents: draft.first }];
  entered.push(...draft.edits.filter(({ contents }) => contents.status !== undefined));
  return entered.flatMap(({ at, contents }, i) => {
    const status = idOf(contents.status);
    const until = entered[i + 1]?.at ?? Infinity;
    return done.has(status) ? [] : [{ draft, isStarted: started.has(status), from: at, until }];
  });
}

/** The first edit after an instant by which an issue is done. */
function doneAfter({ edits }: Draft, at: Instant): Edit | undefined {
  return edits.find((edit) => edit.at > at && done.has(idOf(edit.contents.status)));
}

/** The person who has an issue at an instant; the lead where no one does, or the automation. */
function ownerAt({ project, edits, first }: Draft, at: Instant): string {
  const last = edits.findLast((edit) => edit.at <= at && edit.contents.assignee !== undefined);
  const { assignee }: Edit['contents'] = last?.contents ?? first;
  return company.people.find(({ id }) => id === idOf(assignee))?.id ?? company.projects[project].lead;
}

function linkTo(words: string, { project, number }: Draft): FieldValue {
  const text = `${words} ${project}-${number}`;
  return { id: text, name: text };
}

/** The id of content that is one value; '' of any other. */
function idOf(content: FieldContent | undefined): string {
  return typeof content === 'object' && content !== null && 'id' in content ? content.id : '';
}
