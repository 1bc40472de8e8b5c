import type { Ack, Retry } from './deliver.ts';
import { escapeText, personOf } from './interactions.ts';
import type { Command } from './playground-options.ts';
import { isJson, type Json, Refusal } from './slack-json.ts';
import { applyResponse } from './slack-urls.ts';
import type { Stage } from './stage.ts';
import type { Message } from './workspace.ts';

/** What somebody typed into a composer. */
export interface Typed {
  readonly user: string;
  /** The window they typed in. */
  readonly tab?: string;
  readonly channel: string;
  readonly text: string;
  readonly threadTs?: string;
}

/** Sends what was typed: a command when it begins with a slash, a message otherwise. */
export async function postAs(stage: Stage, typed: Typed): Promise<{ message?: Message; ack: Ack | null }> {
  if (typed.text.startsWith('/')) return { ack: await sendCommand(stage, { ...typed, line: typed.text }) };
  const { workspace, options } = stage;
  personOf(stage, typed.user);
  const channel = workspace.conversation(typed.channel);
  const message = workspace.say(
    channel.id,
    typed.user,
    mentioned(escapeText(typed.text), stage),
    typed.threadTs,
  );
  await shareLinks(stage, message);
  const kind = channel.direct ? 'im' : 'channel';
  const event = {
    user: typed.user,
    text: message.text,
    ts: message.ts,
    channel: channel.id,
    team: options.team.id,
    event_ts: message.ts,
    ...(typed.threadTs ? { thread_ts: typed.threadTs } : {}),
  };
  // Where the app is not, Slack offers to invite it; in its own conversations a mention is a message.
  const isMention =
    !channel.direct &&
    options.events?.includes('app_mention') === true &&
    workspace.isMember(channel.id) &&
    message.text.includes(`<@${options.app.botUserId}>`);
  const mention = isMention ? await sendEvent(stage, { type: 'app_mention', ...event }) : null;
  const heard = channel.direct || options.events?.includes('message.channels');
  if (!heard) return { message, ack: mention };
  return { message, ack: await sendEvent(stage, { type: 'message', channel_type: kind, ...event }) };
}

function mentioned(text: string, { options }: Stage): string {
  const users = [...options.people, { id: options.app.botUserId, name: options.app.name.toLowerCase() }];
  return text
    .replace(/(^|\s)@([\w.-]+)/g, (whole, before, name) => {
      const user = users.find((each) => each.name === name.toLowerCase());
      return user ? `${before}<@${user.id}>` : whole;
    })
    .replace(/(^|\s)#([\w-]+)/g, (whole, before, name) => {
      const channel = options.channels.find((each) => each.name === name);
      return channel ? `${before}<#${channel.id}|${channel.name}>` : whole;
    });
}

/** A line that begins with a slash, as somebody typed it. */
export interface TypedCommand {
  readonly user: string;
  readonly tab?: string;
  readonly channel: string;
  readonly line: string;
  readonly threadTs?: string;
}

/** Sends a slash command to the app; null when Slack answers it itself. */
export async function sendCommand(stage: Stage, typed: TypedCommand): Promise<Ack | null> {
  const { workspace, options, triggers, responseUrls } = stage;
  const person = personOf(stage, typed.user);
  const channel = workspace.conversation(typed.channel);
  const [, name = '', text = ''] = /^(\/\S*)\s*(.*)$/s.exec(typed.line) ?? [];
  const command = options.commands.find((each) => each.command === name);
  const hint = (words: string) => void workspace.sayAsSlackbot(channel.id, person.id, words);
  if (!command) {
    hint(
      `\`${name}\` is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.\n\nIf you are trying to send a message and not run a command, try preceding the "/" with an empty space.`,
    );
    return null;
  }
  if (typed.threadTs !== undefined) {
    hint(`\`${name}\` is not supported in threads. Sorry!`);
    return null;
  }
  const target = { user: person.id, channel: channel.id, command: typed.line.trim() };
  const ack = await stage.deliver('command', {
    token: 'verification-token-nobody-checks',
    team_id: options.team.id,
    team_domain: options.team.domain,
    channel_id: channel.id,
    channel_name: channel.name,
    user_id: person.id,
    user_name: person.name,
    command: name,
    text: escaped(text.trim(), command, stage),
    api_app_id: options.app.id,
    is_enterprise_install: 'false',
    response_url: responseUrls.issue(target),
    trigger_id: triggers.issue({ user: person.id, tab: typed.tab ?? '' }),
  });
  const failed = (error: string) => hint(`\`${name}\` failed with the error "${error}"`);
  if (ack.outcome !== 'ok') failed(ack.outcome);
  else answerAtOnce(stage, target, ack.body, failed);
  return ack;
}

/** The message an acknowledgement may carry: a text, or a whole message. */
function answerAtOnce(
  stage: Stage,
  target: { user: string; channel: string },
  body: unknown,
  failed: (error: string) => void,
): void {
  if (body === '' || (isJson(body) && Object.keys(body).length === 0)) return;
  try {
    applyResponse(stage.workspace, target, isJson(body) ? body : { text: String(body) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    failed(error.error);
  }
}

function escaped(text: string, { shouldEscape }: Command, { options }: Stage): string {
  const plain = escapeText(text);
  if (!shouldEscape) return plain;
  return plain
    .replace(/@([\w.-]+)/g, (whole, name) => {
      const person = options.people.find((each) => each.name === name);
      return person ? `<@${person.id}|${person.name}>` : whole;
    })
    .replace(/#([\w-]+)/g, (whole, name) => {
      const channel = options.channels.find((each) => each.name === name);
      return channel ? `<#${channel.id}|${channel.name}>` : whole;
    });
}

/** Tells the app of links to domains it listens to in a message somebody posted, as Slack does: once, all of them. */
async function shareLinks(stage: Stage, { text, ts, channel, user, threadTs }: Message): Promise<void> {
  const { events, unfurlDomains = [] } = stage.options;
  if (!events?.includes('link_shared')) return;
  const links = [...new Set(text.match(/https?:\/\/[^\s<>|]+/g) ?? [])].flatMap((found) => {
    const url = found.replaceAll('&amp;', '&');
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    const domain = unfurlDomains.find((one) => host === one || host.endsWith(`.${one}`));
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  await sendEvent(stage, {
    type: 'link_shared',
    channel,
    is_bot_user_member: stage.workspace.isMember(channel),
    user,
    message_ts: ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    unfurl_id: `${channel}-${ts}`,
    source: 'conversations_history',
    links,
    event_ts: stage.workspace.nextTs(),
  });
}

/** Sends an event to the app, and once more when it was not acknowledged, as Slack does at first. */
export async function sendEvent(stage: Stage, event: Json): Promise<Ack> {
  const { options } = stage;
  const payload = {
    token: 'verification-token-nobody-checks',
    team_id: options.team.id,
    api_app_id: options.app.id,
    event,
    type: 'event_callback',
    event_id: `Ev${options.newId().slice(0, 10)}`,
    event_time: Math.floor(options.now() / 1_000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: options.team.id,
        user_id: options.app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
  };
  const ack = await stage.deliver('event', payload);
  return ack.outcome === 'ok'
    ? ack
    : stage.deliver('event', payload, { number: 1, reason: reasons[ack.outcome] });
}

const reasons: Readonly<Record<Exclude<Ack['outcome'], 'ok'>, Retry['reason']>> = {
  operation_timeout: 'http_timeout',
  dispatch_failed: 'connection_failed',
  http_client_error: 'http_error',
  http_service_error: 'http_error',
};

/** Tells the app that somebody looks at its Home tab or its messages. */
export function openHome(stage: Stage, user: string, tab: 'home' | 'messages' = 'home'): Promise<Ack> {
  personOf(stage, user);
  const { workspace, views } = stage;
  const view = tab === 'home' ? views.homeOf(user) : undefined;
  return sendEvent(stage, {
    type: 'app_home_opened',
    user,
    channel: workspace.directOf(user),
    tab,
    event_ts: workspace.nextTs(),
    ...(view ? { view } : {}),
  });
}
