import type { Json } from './json.ts';
import type { Message } from './message.ts';
import type { Hint, PlaygroundOptions } from './options.ts';
import { personOf } from './payload-parts.ts';
import { Refusal } from './refusal.ts';
import type { Stage } from './stage.ts';
import { wireFile } from './wire-message.ts';

/** What the page needs to draw the workspace for one person; nothing secret is in it. */
export async function pageState(stage: Stage, user: string): Promise<Json> {
  const { options, workspace } = stage;
  const hints = await hintsOf(options);
  const me = options.people.find(({ id, name }) => id === user || name === user) ?? options.people[0];
  return {
    me: me?.id ?? '',
    team: { name: options.team.name },
    app: {
      name: options.app.name,
      user: options.app.botUserId,
      description: options.app.description ?? '',
      messagesTab: options.app.messagesTab ?? true,
    },
    people: options.people.map(({ id, name, realName, tz }) => ({ id, name, realName, tz })),
    channels: options.channels.map(({ id, name, topic }) => ({ id, name, topic: topic ?? '' })),
    direct: me ? workspace.directOf(me.id) : '',
    commands: options.commands,
    shortcuts: options.shortcuts ?? [],
    hints,
    modals: me ? stage.views.stackOf(me.id) : [],
    home: (me && stage.views.homeOf(me.id)) ?? null,
    now: options.now(),
  };
}

/** Hints only help: the page does without them when they cannot be had. */
async function hintsOf({ hints = [] }: PlaygroundOptions): Promise<readonly Hint[]> {
  try {
    return typeof hints === 'function' ? await hints() : hints;
  } catch {
    return [];
  }
}

/** The messages one person sees in one place. */
export function conversationState(stage: Stage, user: string, id: string): Json {
  const { workspace } = stage;
  const conversation = workspace.conversation(id);
  const person = personOf(stage, user);
  if (conversation.direct && conversation.direct.id !== person.id) throw new Refusal('channel_not_found');
  return {
    messages: workspace.messages(conversation.id, person.id).map((message) => pageMessage(message)),
  };
}

/** A message as the page draws it. */
export function pageMessage({ files, ...message }: Message): Json {
  // Addresses are relative to the page, whatever name it was opened under.
  return files ? { ...message, files: files.map((file) => wireFile(file, '')) } : message;
}
