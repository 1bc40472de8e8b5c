import type { Mine } from '../../model/aging.ts';
import { hoursHere } from '../hours-here.ts';
import { tellFailure } from '../tell-failure.ts';
import { findCover } from './find-cover.ts';
import { findFacts } from './find-facts.ts';
import { findFiles } from './find-files.ts';
import { findWeeks } from './find-weeks.ts';
import { type Found, findWho } from './find-who.ts';
import { emptyHome, type HomeContent, type Section, type Telling } from './home-content.ts';
import type { HomeParts } from './home-parts.ts';

/** A Home tab that is being filled: a part that fails tells why, and takes no other with it. */
export interface Gathering {
  /** What is known so far. */
  content(): HomeContent;
  /** Finds what takes but a moment. */
  quickly(): Promise<void>;
  /** Counts what waits on the person. */
  countWaiting(): Promise<void>;
  /** Counts the weeks of their projects, which are those of what waits on them unless they chose others. */
  countWeeks(): Promise<void>;
}

type Part = keyof Omit<HomeContent, 'at'>;
type ValueOf<Name extends Part> = HomeContent[Name] extends Section<infer Value> ? Value : never;

/** Begins with nothing known. */
export function gatherHome(account: string, parts: HomeParts): Gathering {
  let content = emptyHome(parts.now());
  let found: Promise<Found> | null = null;
  const whoAsks = () => {
    found ??= findWho(account, parts);
    return found;
  };
  // That nobody could be told who asks is told once; everything else is told as to whom nobody knows.
  const whoever = () => whoAsks().catch(() => ({ asker: { user: account, admin: false }, member: null }));

  async function fill<Name extends Part>(name: Name, find: () => Promise<ValueOf<Name>>): Promise<void> {
    try {
      const value = await find();
      content = { ...content, [name]: { state: 'known', value } };
    } catch (error) {
      const why = tellFailure(error, { home: name }, parts.log);
      content = { ...content, [name]: { state: 'failed', why } };
    }
  }

  async function findMine(): Promise<Mine | null> {
    const { asker, member } = await whoever();
    if (member === null) return null;
    const hours = await hoursHere({ channel: account }, account, parts);
    const { told } = await parts.answers.answer(asker, { kind: 'mine', ...hours }, null);
    if (told.kind !== 'mine') throw new Error(`what waits was answered with ${told.kind}`);
    return told.mine;
  }

  async function findTelling(): Promise<Telling> {
    const owner = { account, admin: false };
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
      const { asker, member } = await whoever();
      await Promise.all([
        telling,
        fill('who', async () => (await whoAsks()).who),
        fill('cover', async () => (member === null ? null : findCover(member, parts))),
        fill('files', () => findFiles(account, parts)),
        fill('facts', () => findFacts(account, asker, parts)),
        ...(member === null ? [fill('waiting', async () => null)] : []),
      ]);
    },
    async countWaiting() {
      if (content.waiting.state === 'counting') await fill('waiting', findMine);
    },
    async countWeeks() {
      const { asker } = await whoever();
      const mine = content.waiting.state === 'known' ? content.waiting.value : null;
      await fill('weeks', () => findWeeks(account, { asker, mine }, parts));
    },
  };
}
