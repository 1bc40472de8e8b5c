import type { Mine } from '../../model/answer.ts';
import { principalIn } from '../../model/principal.ts';
import type { AssignedPreview } from '../../questions/answers.ts';
import { hoursHere } from '../hours-here.ts';
import type { HomeParts } from '../parts.ts';
import { findCover } from './find-cover.ts';
import { findFacts } from './find-facts.ts';
import { findFiles } from './find-files.ts';
import { findWeeks } from './find-weeks.ts';
import { type Found, findWho } from './find-who.ts';
import { emptyHome, type HomeContent, type Section, type Telling } from './home-content.ts';
import { mayPass, tellPart } from './tell-part.ts';

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
      const why = tellPart(error, { home: name }, parts.log);
      content = { ...content, [name]: { state: 'failed', why, mayPass: mayPass(error) } };
    }
  }

  async function findMine(): Promise<Mine | null> {
    const member = await memberWho();
    if (member === null) return null;
    const hours = await hoursHere({ channel: account }, account, parts);
    glance = await parts.answers.previewAssigned(member.principal, { kind: 'mine', ...hours });
    return glance.ages;
  }

  async function findTelling(): Promise<Telling> {
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
        tellPart(error, { home: 'usual' }, parts.log);
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
