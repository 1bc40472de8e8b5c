import { checkBlocks } from '../src/slack/blocks/check-blocks.ts';
import { limits } from '../src/slack/blocks/limits.ts';
import { fillIds } from './block-elements.ts';
import type { Channel, Person, PlaygroundOptions } from './playground-options.ts';
import { type Json, objectsOf, problemsRefusal, Refusal } from './slack-json.ts';

/** A place messages are posted in: a channel, or a person's conversation with the app. */
export interface Conversation {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** The person, when this is a direct conversation with the app. */
  readonly direct?: Person;
}

/** The people, places and messages of the stand-in. */
export type Workspace = ReturnType<typeof createWorkspace>;

/** An empty workspace of the given people and channels. */
export function createWorkspace({ people, channels, app, now, newId }: PlaygroundOptions) {
  const messages: Message[] = [];
  const listeners = new Set<(change: Change) => void>();
  const joined = new Set(channels.filter(({ appIsMember }) => appIsMember !== false).map(({ id }) => id));
  const conversations = new Map<string, Conversation>([
    ...channels.map((channel): [string, Conversation] => [channel.id, place(channel)]),
    ...people.map((person): [string, Conversation] => [directId(person), direct(person)]),
  ]);
  let lastTs = 0;

  /** A message's id: the time in microseconds, made unique. */
  function nextTs(): string {
    lastTs = Math.max(lastTs + 1, now() * 1_000);
    return `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, '0')}`;
  }

  function notify(change: Change): void {
    for (const listener of listeners) listener(change);
  }

  function add(message: Message): Message {
    messages.push(message);
    notify({ kind: 'message', message });
    return message;
  }

  return {
    people,
    channels,
    notify,
    nextTs,
    conversations: () => [...conversations.values()],
    person: (id: string) => people.find((person) => person.id === id),
    directOf: (user: string) => directId({ id: user }),
    /** The people in a channel, the app not among them. */
    membersOf: (channel: string): readonly string[] =>
      channels.find(({ id }) => id === channel)?.members ?? people.map(({ id }) => id),
    isMember: (channel: string) => channel.startsWith('D') || joined.has(channel),
    join: (channel: string) => void joined.add(channel),

    listen(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** The place an app names by id, by `#name`, or by a person's id. */
    conversation(name: string): Conversation {
      const byId = conversations.get(name) ?? conversations.get(directId({ id: name }));
      const found =
        byId ??
        [...conversations.values()].find((each) => !each.direct && each.name === name.replace(/^#/, ''));
      if (!found) throw new Refusal('channel_not_found');
      return found;
    },

    post(channel: string, draft: Draft): Message {
      const { blocks, ...others } = draft;
      const filled = blocks ? { blocks: fillIds(blocks, newId) } : {};
      return add({ ...others, ...filled, ts: nextTs(), channel, user: app.botUserId, byApp: true });
    },

    say(channel: string, user: string, text: string, threadTs?: string): Message {
      return add({ ts: nextTs(), channel, user, text, byApp: false, ...(threadTs ? { threadTs } : {}) });
    },

    sayAsSlackbot(channel: string, onlyFor: string, text: string): Message {
      return add({ ts: nextTs(), channel, user: 'USLACKBOT', text, byApp: false, bySlackbot: true, onlyFor });
    },

    find: (channel: string, ts: string) =>
      messages.find((message) => message.channel === channel && message.ts === ts),

    withFile: (id: string) => messages.filter(({ files }) => files?.some((file) => file.id === id)),

    replace(old: Message, draft: Pick<Draft, 'text' | 'blocks'>): Message {
      const { blocks: _, ...unchanged } = old;
      const filled = draft.blocks ? { blocks: fillIds(draft.blocks, newId) } : {};
      const message = { ...unchanged, text: draft.text, ...filled, ...(old.onlyFor ? {} : { edited: true }) };
      messages.splice(messages.indexOf(old), 1, message);
      notify({ kind: 'updated', message });
      return message;
    },

    /** Shows blocks below links of a message. */
    unfurl(old: Message, shown: Readonly<Record<string, readonly Json[]>>): void {
      const filled = Object.entries(shown).map(([url, blocks]) => [url, fillIds(blocks, newId)]);
      const message = { ...old, unfurls: { ...old.unfurls, ...Object.fromEntries(filled) } };
      messages.splice(messages.indexOf(old), 1, message);
      notify({ kind: 'updated', message });
    },

    remove(message: Message): void {
      messages.splice(messages.indexOf(message), 1);
      notify({ kind: 'deleted', message });
    },

    /** What a person sees in a place; without a person, what everybody sees. */
    messages: (channel: string, viewer?: string) =>
      messages.filter(
        (message) =>
          message.channel === channel && (message.onlyFor === undefined || message.onlyFor === viewer),
      ),
  };
}

function directId({ id }: Pick<Person, 'id'>): string {
  return `D${id.slice(1)}`;
}

function place({ id, name, topic = '' }: Channel): Conversation {
  return { id, name, topic };
}

function direct(person: Person): Conversation {
  return { id: directId(person), name: 'directmessage', topic: '', direct: person };
}

/** A file that was uploaded and shared. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly size: number;
  readonly created: number;
  readonly user: string;
  readonly altText?: string;
  readonly content: Buffer;
}

/** One message as the workspace keeps it. */
export interface Message {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly files?: readonly SlackFile[];
  readonly threadTs?: string;
  /** What the app told Slack about it, which people do not see. */
  readonly metadata?: Json;
  /** What the app shows below links in it, by link. */
  readonly unfurls?: Readonly<Record<string, readonly Json[]>>;
  readonly edited?: boolean;
  /** Written by the app rather than by a person. */
  readonly byApp: boolean;
  /** Written by Slack itself, such as "not a valid command". */
  readonly bySlackbot?: boolean;
  /** The command this answers in the open, with who typed it: Slack shows that line above the answer. */
  readonly answers?: { readonly user: string; readonly text: string };
  /** Ephemeral: seen by this person only. */
  readonly onlyFor?: string;
}

/** Something the people who look at the workspace should notice. */
export type Change =
  | { readonly kind: 'message' | 'updated' | 'deleted'; readonly message: Message }
  | { readonly kind: 'modals' | 'home'; readonly user: string }
  | { readonly kind: 'notice'; readonly user: string; readonly text: string };

/** What the app gave for a new message. */
interface Draft {
  readonly text: string;
  readonly blocks?: readonly Json[];
  readonly files?: readonly SlackFile[];
  readonly threadTs?: string;
  readonly metadata?: Json;
  readonly onlyFor?: string;
  readonly answers?: { readonly user: string; readonly text: string };
}

/** What an app wants to say, checked as Slack checks it: something to show, valid blocks, text cut at its limit. */
export function draftOf(text: string | undefined, blocks: unknown): Draft {
  if (blocks !== undefined) {
    const problems = checkBlocks(blocks, 'message');
    if (problems.length > 0) throw problemsRefusal('invalid_blocks', problems);
  }
  const shown: readonly Json[] = objectsOf(blocks);
  if (text === undefined && shown.length === 0) throw new Refusal('no_text');
  return { text: (text ?? '').slice(0, limits.messageText), ...(shown.length > 0 ? { blocks: shown } : {}) };
}
