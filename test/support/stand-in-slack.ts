import { createServer } from 'node:http';
import express from 'express';
import { type Entries, type Entry, interactiveElements } from '../../playground/block-elements.ts';
import { createPlayground } from '../../playground/create-playground.ts';
import type { Ack } from '../../playground/deliver.ts';
import type { PlaceName, Submitted } from '../../playground/interactions.ts';
import type { View } from '../../playground/open-views.ts';
import type { Channel, Command, Person, PlaygroundOptions } from '../../playground/playground-options.ts';
import { isJson, type Json, objectsOf } from '../../playground/slack-json.ts';
import type { Change, Message } from '../../playground/workspace.ts';

/** Everything may be left out. */
export type StandInOptions = Partial<Omit<PlaygroundOptions, 'url' | 'botUrl'>> & {
  /** Where the app takes Slack's requests; can be told later with `botAt`. */
  readonly botUrl?: string | (() => string);
};

/** Who does something, and where; the first person and the first channel unless said otherwise. */
interface Doing {
  /** A person's handle or id. */
  readonly as?: string;
  /** A channel's name or id, or `dm` for the conversation with the app. */
  readonly in?: string;
}

/** Where an element is looked for: a message, the Home tab; else the open modal, else the newest message. */
interface Using extends Doing {
  readonly on?: Message | 'home';
  readonly blockId?: string;
}

/** A stand-in Slack on a loopback port. */
export type StandInSlack = Awaited<ReturnType<typeof startStandInSlack>>;

/** Three people in three time zones; the first is an administrator. */
export const standInPeople: readonly Person[] = [
  {
    id: 'U0ADA',
    name: 'ada',
    realName: 'Ada Quist',
    email: 'ada@dwell.example',
    tz: 'Europe/Berlin',
    admin: true,
  },
  { id: 'U0BEN', name: 'ben', realName: 'Ben Okoro', email: 'ben@dwell.example', tz: 'America/New_York' },
  { id: 'U0CHI', name: 'chi', realName: 'Chi Tanaka', email: 'chi@dwell.example', tz: 'Asia/Tokyo' },
];

/** Two channels the app is in, and one it is not. */
const standInChannels: readonly Channel[] = [
  { id: 'C0GENERAL', name: 'general', topic: 'Everything and everybody' },
  { id: 'C0WEBTEAM', name: 'web-team', topic: 'The web team' },
  { id: 'C0QUIET', name: 'quiet', topic: 'No apps here', appIsMember: false },
];

const standInCommands: readonly Command[] = [
  { command: '/tis', description: 'Time in status', usageHint: '[key]' },
  { command: '/delegates', description: 'Who stands in for whom', usageHint: '[person]', shouldEscape: true },
];

/** Starts a stand-in Slack and offers what people do there as sentences. */
export async function startStandInSlack({ botUrl, ...given }: StandInOptions = {}) {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  let bot = botUrl ?? 'http://127.0.0.1:9';
  const playground = createPlayground({
    signingSecret: 'stand-in-signing-secret',
    botToken: 'xoxb-stand-in',
    appToken: 'xapp-stand-in',
    now: Date.now,
    // Bolt compares signatures with the machine's clock, whatever the test's clock says.
    signatureTime: Date.now,
    newId: countingIds(),
    team: { id: 'T0STANDIN', name: 'Stand-in', domain: 'stand-in' },
    app: { id: 'A0DWELL', name: 'Dwell', botUserId: 'U0DWELL', botId: 'B0DWELL' },
    people: standInPeople,
    channels: standInChannels,
    commands: standInCommands,
    ...given,
    url: () => url,
    botUrl: () => (typeof bot === 'function' ? bot() : bot),
  });
  app.use(playground.router);
  playground.attachSocketMode(server);

  const people = given.people ?? standInPeople;
  const channels = given.channels ?? standInChannels;
  const witness = createWitness(playground.listen);

  function personId(name = people[0]?.name): string {
    return people.find((person) => person.name === name || person.id === name)?.id ?? String(name);
  }

  function channelId(name: string | undefined, user: string): string {
    if (name === 'dm') return `D${user.slice(1)}`;
    const wanted = name ?? channels[0]?.name;
    return channels.find((channel) => channel.name === wanted || channel.id === wanted)?.id ?? String(wanted);
  }

  /** Where an element with this `action_id` or text is; `option` is the value where it is an option of an overflow menu. */
  function findElement(
    name: string,
    { as, in: where, on, blockId }: Using,
  ): { place: PlaceName; actionId: string; blockId: string; option?: string } {
    const user = personId(as);
    const places: { place: PlaceName; blocks: readonly Json[] }[] = [];
    const addView = (view: View | undefined) =>
      view && places.push({ place: { viewId: view.id }, blocks: view.blocks });
    const addMessage = ({ channel, ts, blocks }: Message) =>
      places.push({ place: { channel, ts }, blocks: blocks ?? [] });
    if (on === 'home') addView(playground.home(user));
    else if (on) addMessage(on);
    else {
      addView(playground.modals(user).at(-1));
      const shown =
        where === undefined
          ? [...channels.map(({ id }) => id), `D${user.slice(1)}`]
          : [channelId(where, user)];
      shown
        .flatMap((channel) => playground.messages(channel, user))
        .toSorted((a, b) => Number(b.ts) - Number(a.ts))
        .forEach(addMessage);
    }
    for (const { place, blocks } of places)
      for (const found of interactiveElements(blocks)) {
        if (blockId !== undefined && blockId !== found.blockId) continue;
        const named = { place, actionId: String(found.element.action_id), blockId: found.blockId };
        if (isNamed(found.element, name)) return named;
        const option = overflowOption(found.element, name);
        if (option !== null) return { ...named, option };
      }
    throw new Error(`nothing called "${name}" is shown to ${as ?? people[0]?.name}`);
  }

  /** Types a line and presses Enter: a command or a message. */
  async function types(
    line: string,
    { as, in: where, threadTs }: Doing & { threadTs?: string } = {},
  ): Promise<{ ack: Ack | null; message?: Message }> {
    witness.forget();
    const user = personId(as);
    const thread = threadTs === undefined ? {} : { threadTs };
    return playground.postMessage({ user, channel: channelId(where, user), text: line, ...thread });
  }

  /** The next message of the app (or of Slackbot) since somebody did something last. */
  async function reply(): Promise<Message> {
    const change = await witness.next(
      ({ kind, ...rest }) =>
        kind === 'message' && 'message' in rest && (rest.message.byApp || rest.message.bySlackbot === true),
      'a reply',
    );
    return messageOf(change);
  }

  return {
    playground,
    url,
    apiUrl: `${url}/playground/api/`,
    signingSecret: given.signingSecret ?? 'stand-in-signing-secret',
    botToken: given.botToken ?? 'xoxb-stand-in',
    appToken: given.appToken ?? 'xapp-stand-in',
    faults: playground.faults,
    sockets: playground.sockets,
    calls: playground.calls,
    files: playground.files,

    /** Tells where the app listens. */
    botAt(address: string | (() => string)): void {
      bot = address;
    },

    types,
    reply,

    /** Types a line; the next message of the app. */
    async answerTo(line: string, doing: Doing & { threadTs?: string } = {}): Promise<Message> {
      await types(line, doing);
      return reply();
    },

    /** The next message of the app that one person alone sees, whatever is posted meanwhile. */
    async privateReply(): Promise<Message> {
      for (;;) {
        const message = await reply();
        if (message.onlyFor !== undefined) return message;
      }
    },

    /**
     * Presses a button, or chooses in another element; named by its `action_id` or its text. An option of an overflow
     * menu is named by its text, or by the action its value begins with.
     */
    async clicks(name: string, { entry, ...using }: Using & { entry?: Entry } = {}): Promise<Ack> {
      witness.forget();
      const { option, ...element } = findElement(name, using);
      const chosen = entry ?? option;
      const made = chosen === undefined ? {} : { entry: chosen };
      return playground.click({ user: personId(using.as), ...element, ...made });
    },

    /** Types into a menu whose options come from the app. */
    asksForOptions: (name: string, query: string, using: Using = {}) =>
      playground.requestOptions({ user: personId(using.as), ...findElement(name, using), query }),

    /** Submits the open modal with entries by `action_id`. */
    async submits(entries: Entries = {}, { as }: Doing = {}): Promise<Submitted> {
      witness.forget();
      return playground.submitView({ user: personId(as), entries });
    },

    /** Closes the open modal. */
    async dismisses({ as }: Doing = {}): Promise<Ack | null> {
      witness.forget();
      return playground.closeView(personId(as));
    },

    /** Opens the app's Home tab and waits until the app has published it with its figures, which come later if they take long. */
    async opensHome(as?: string): Promise<View> {
      witness.forget();
      const user = personId(as);
      await playground.openHome(user);
      const isCounting = () => JSON.stringify(playground.home(user)).includes('Counting…');
      do {
        await witness.next((change) => change.kind === 'home' && change.user === user, 'a Home tab');
      } while (isCounting());
      const home = playground.home(user);
      if (!home) throw new Error('no Home tab was published');
      return home;
    },

    /** Picks a shortcut, on a message where it is a message shortcut. */
    async picks(callbackId: string, { as, on }: { as?: string; on?: Message } = {}): Promise<Ack> {
      witness.forget();
      const message = on ? { message: { channel: on.channel, ts: on.ts } } : {};
      return playground.useShortcut({ user: personId(as), callbackId, ...message });
    },

    /** The next message changed since somebody did something last. */
    updated: async (): Promise<Message> =>
      messageOf(await witness.next(({ kind }) => kind === 'updated', 'a changed message')),

    /** The next message taken away since somebody did something last. */
    deleted: async (): Promise<Message> =>
      messageOf(await witness.next(({ kind }) => kind === 'deleted', 'a deleted message')),

    /** The modal a person sees, after the next change of their modals. */
    async modal(as?: string): Promise<View> {
      const user = personId(as);
      await witness.next((change) => change.kind === 'modals' && change.user === user, 'a modal');
      const view = playground.modals(user).at(-1);
      if (!view) throw new Error('no modal is open');
      return view;
    },

    openModals: (as?: string) => playground.modals(personId(as)),
    home: (as?: string) => playground.home(personId(as)),

    /** What a person sees in a channel. */
    messages: ({ channel, as }: { channel?: string; as?: string } = {}) => {
      const user = personId(as);
      return playground.messages(channelId(channel, user), user);
    },

    async stop(): Promise<void> {
      playground.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Remembers changes so that a test can wait for one without sleeping. */
function createWitness(listen: (listener: (change: Change) => void) => () => void, timeoutMs = 60_000) {
  let seen: Change[] = [];
  const waiting = new Set<() => void>();
  listen((change) => {
    seen.push(change);
    for (const look of waiting) look();
  });
  return {
    forget: () => {
      seen = [];
    },
    next: (wanted: (change: Change) => boolean, what: string) =>
      new Promise<Change>((resolve, reject) => {
        const give = setTimeout(
          () => finish(() => reject(new Error(`${what} did not come within ${timeoutMs} ms`))),
          timeoutMs,
        );
        function finish(end: () => void): void {
          clearTimeout(give);
          waiting.delete(look);
          end();
        }
        function look(): void {
          const index = seen.findIndex(wanted);
          const [found] = index < 0 ? [] : seen.splice(index, 1);
          if (found) finish(() => resolve(found));
        }
        waiting.add(look);
        look();
      }),
  };
}

function messageOf(change: Change): Message {
  if (!('message' in change)) throw new Error(`no message in ${change.kind}`);
  return change.message;
}

function isNamed(element: Json, name: string): boolean {
  return element.action_id === name || textOn(element) === name;
}

function textOn({ text }: Json): unknown {
  return isJson(text) ? text.text : undefined;
}

/** The value of the option of an overflow menu with this text, or whose value begins with this action; null: none. */
function overflowOption({ type, options }: Json, name: string): string | null {
  if (type !== 'overflow') return null;
  const found = objectsOf(options).find(
    (option) => textOn(option) === name || String(option.value).split(' ')[0] === name,
  );
  return found === undefined ? null : String(found.value);
}

function countingIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${count.toString(36).toUpperCase().padStart(5, '0')}X`.padEnd(16, '0');
  };
}
