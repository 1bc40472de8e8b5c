import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Anything that JSON holds. */
// biome-ignore lint/suspicious/noExplicitAny: what Slack is sent is of every shape.
export type Json = any;

/** Something Dwell did in Slack that somebody sees. */
export interface Deed {
  readonly method: string;
  readonly args: Json;
}

/** Whoever does something in Slack, and where. */
interface Place {
  readonly user: string;
  readonly channel: string;
}

interface Shown extends Place {
  /** Null where everybody in the channel sees it. */
  readonly onlyFor: string | null;
  readonly ts: string;
  blocks: Json[];
  text: string;
}

interface View {
  readonly id: string;
  readonly hash: string;
  readonly externalId: string | null;
  readonly user: string;
  readonly body: Json;
}

const SECRET = 'recorded-signing-secret';

const team = { id: 'T0RECORD', domain: 'recorded' };

/** A channel's id, and what is to be known about it. */
const channels = new Map<string, Json>([
  ['general', { id: 'C0GENERAL' }],
  ['web-team', { id: 'C0WEBTEAM' }],
  ['with-guests', { id: 'C0GUESTS', guests: true }],
  ['with-others', { id: 'C0OTHERS', is_shared: true, is_ext_shared: true }],
  ['quiet', { id: 'C0QUIET', is_member: false }],
]);

/** People by handle; the tracker of the sample knows all but zoe and gus. */
const people = new Map<string, Json>(
  [
    { name: 'ada', tz: 'Europe/Berlin', is_admin: true },
    { name: 'bob', tz: 'America/New_York' },
    { name: 'carl', tz: 'Europe/Berlin' },
    { name: 'nina', tz: 'America/New_York' },
    { name: 'kira', tz: 'America/New_York' },
    { name: 'zoe', tz: 'Asia/Tokyo' },
    { name: 'gus', tz: 'Europe/Berlin', is_restricted: true, is_ultra_restricted: true },
  ].map((person) => [person.name, { id: `U0${person.name.toUpperCase()}`, ...person }]),
);

/**
 * The smallest Slack that Dwell can be recorded in: it answers Dwell's calls as Slack would, keeps what people see, and
 * sends what people do as signed requests. It shares nothing with Dwell, so that it stays as it is whatever becomes of
 * Dwell. What Dwell only reads (who somebody is, what a channel is) is answered and not kept: how often that is asked
 * depends on what Dwell remembers.
 */
export async function startRecordedSlack() {
  let deeds: Deed[] = [];
  let shown: Shown[] = [];
  const homes = new Map<string, View>();
  let modals: View[] = [];
  const responses = new Map<string, Place & { readonly message: Shown | null }>();
  const triggers = new Map<string, string>();
  const uploads = new Map<string, { readonly name: string; content: Buffer }>();
  const offered = new Map<string, Json>();
  let bot = '';
  let [seconds, count, question] = [0, 0, '0'];
  /** Names of Slack's own depend on the clock and the question alone: one more question changes no other's answer. */
  const nextTs = () => `${seconds}.${question}${String(++count).padStart(3, '0')}`;
  const nextId = (prefix: string) => `${prefix}${question}${String(++count).padStart(3, '0')}`;

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const [, kind, name = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const send = (json: unknown) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(json));
    if (kind === 'upload') {
      const upload = uploads.get(name);
      if (upload !== undefined) upload.content = await fileIn(body, request.headers['content-type'] ?? '');
      return void response.end('OK');
    }
    if (kind === 'response') {
      answerLate(name, JSON.parse(body.toString()));
      return void response.end('ok');
    }
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://slack').searchParams);
    const { token: _, ...args } = {
      ...query,
      ...argumentsIn(body.toString(), request.headers['content-type']),
    };
    const answer = methods[name]?.(args) ?? { error: 'unknown_method' };
    if (!(name in readers)) deeds.push({ method: name, args: told(name, args) });
    send({ ok: answer.error === undefined, ...answer });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  const readers: Readonly<Record<string, (args: Json) => Json>> = {
    'api.test': () => ({}),
    'auth.test': () => ({
      ...{ url: 'https://recorded.slack.com/', team: 'Recorded', user: 'dwell', team_id: team.id },
      ...{ user_id: 'U0DWELL', bot_id: 'B0DWELL', is_enterprise_install: false },
    }),
    'users.info': ({ user }) => {
      if (user === 'U0DWELL')
        return { user: { ...wireUser({ id: user, name: 'dwell', tz: 'UTC' }), is_bot: true } };
      const found = [...people.values()].find(({ id }) => id === user);
      return found === undefined ? { error: 'user_not_found' } : { user: wireUser(found) };
    },
    'users.list': () => ({
      members: [...people.values()].map(wireUser),
      response_metadata: { next_cursor: '' },
    }),
    'users.lookupByEmail': ({ email }) => {
      const found = [...people.values()].find(({ name }) => `${name}@example.com` === email);
      return found === undefined ? { error: 'users_not_found' } : { user: wireUser(found) };
    },
    'conversations.info': ({ channel }) =>
      channel.startsWith('D')
        ? { channel: { id: channel, is_im: true, user: `U${channel.slice(1)}` } }
        : { channel: wireChannel(channel) },
    'conversations.list': () => ({
      channels: [...channels.values()].map(({ id }) => wireChannel(id)),
      response_metadata: { next_cursor: '' },
    }),
    'conversations.members': ({ channel }) => ({
      members: [
        ...(channel.startsWith('D')
          ? [`U${channel.slice(1)}`]
          : [...people.values()]
              .filter((person) => person.is_restricted !== true || channel === 'C0GUESTS')
              .map(({ id }) => id)),
        'U0DWELL',
      ],
      response_metadata: { next_cursor: '' },
    }),
    'conversations.open': ({ users }) => ({ channel: { id: `D${users.slice(1)}` } }),
    'conversations.history': ({ channel }) => ({
      messages: shown
        .filter((one) => one.channel === channel && one.onlyFor === null)
        .toReversed()
        .map(wireMessage),
      has_more: false,
    }),
    'conversations.replies': ({ channel, ts }) => ({
      messages: shown.filter((one) => one.channel === channel && one.ts === ts).map(wireMessage),
      has_more: false,
    }),
    'chat.getPermalink': ({ channel, message_ts }) => ({
      channel,
      permalink: `https://recorded.slack.com/archives/${channel}/p${String(message_ts).replace('.', '')}`,
    }),
    'files.info': ({ file }) => ({
      file: {
        id: file,
        shares: {},
        channels: [],
        ims: [],
        permalink: `https://recorded.slack.com/files/${file}`,
      },
    }),
    'files.getUploadURLExternal': ({ filename }) => {
      const id = nextId('F');
      uploads.set(id, { name: filename, content: Buffer.alloc(0) });
      return { upload_url: `${url}/upload/${id}`, file_id: id };
    },
  };

  const methods: Readonly<Record<string, (args: Json) => Json>> = {
    ...readers,
    'chat.postMessage': (args) => {
      if (args.channel === 'C0QUIET') return { error: 'not_in_channel' };
      const channel = args.channel.startsWith('U') ? `D${args.channel.slice(1)}` : args.channel;
      const message = show({ channel, user: '', onlyFor: null }, args);
      return { channel, ts: message.ts, message: wireMessage(message) };
    },
    'chat.postEphemeral': (args) =>
      args.channel === 'C0QUIET'
        ? { error: 'not_in_channel' }
        : { message_ts: show({ channel: args.channel, user: args.user, onlyFor: args.user }, args).ts },
    'chat.update': (args) => {
      const old = shown.find((one) => one.channel === args.channel && one.ts === args.ts);
      if (old === undefined) return { error: 'message_not_found' };
      change(old, args);
      return { channel: old.channel, ts: old.ts, text: old.text, message: wireMessage(old) };
    },
    'chat.delete': ({ channel, ts }) => {
      shown = shown.filter((one) => one.channel !== channel || one.ts !== ts);
      return { channel, ts };
    },
    'chat.unfurl': () => ({}),
    'views.open': ({ trigger_id, view }) => {
      const opened = asView(triggers.get(trigger_id) ?? '', view);
      modals = [...modals.filter(({ user }) => user !== opened.user), opened];
      return { view: wireView(opened) };
    },
    'views.push': ({ trigger_id, view }) => {
      const opened = asView(triggers.get(trigger_id) ?? '', view);
      modals.push(opened);
      return { view: wireView(opened) };
    },
    'views.update': ({ view_id, external_id, view }) => {
      const old = modals.find(({ id, externalId }) =>
        view_id === undefined ? externalId === external_id : id === view_id,
      );
      if (old === undefined) return { error: 'not_found' };
      const changed = asView(old.user, view, old.id);
      modals = modals.map((one) => (one === old ? changed : one));
      return { view: wireView(changed) };
    },
    'views.publish': ({ user_id, view }) => {
      const home = asView(user_id, view);
      homes.set(user_id, home);
      return { view: wireView(home) };
    },
    'files.completeUploadExternal': ({ files }) => ({
      files: files.map(({ id, title }: Json) => ({ id, title })),
    }),
  };

  /** Uploads are told with what was uploaded. */
  function told(name: string, args: Json): Json {
    if (name !== 'files.completeUploadExternal') return args;
    const files = args.files.map((file: Json) => ({ ...file, upload: uploads.get(file.id) }));
    return { ...args, files };
  }

  function show(at: Omit<Shown, 'ts' | 'blocks' | 'text'>, { blocks, text }: Json): Shown {
    const message = { ...at, ts: nextTs(), blocks: named(blocks ?? []), text: text ?? '' };
    shown.push(message);
    return message;
  }

  function change(old: Shown, { blocks, text }: Json): void {
    if (blocks !== undefined) old.blocks = named(blocks);
    if (text !== undefined) old.text = text;
  }

  function answerLate(id: string, args: Json): void {
    deeds.push({ method: 'response_url', args });
    const target = responses.get(id);
    if (target === undefined) return;
    const { message, user, channel } = target;
    if (args.delete_original === true) shown = shown.filter((one) => one !== message);
    else if (args.replace_original === true && message !== null) change(message, args);
    else show({ channel, user, onlyFor: args.response_type === 'in_channel' ? null : user }, args);
  }

  function asView(user: string, body: Json, id = nextId('V')): View {
    const view = { ...body, blocks: named(body.blocks) };
    return { id, hash: nextId('h'), externalId: body.external_id ?? null, user, body: view };
  }

  const wireView = ({ id, hash, body }: View, entries: Json = {}) => ({
    ...{ id, hash, team_id: team.id, app_id: 'A0DWELL', bot_id: 'B0DWELL', root_view_id: id },
    ...{ private_metadata: '', callback_id: '', external_id: '', ...body },
    state: { values: stateOf(body.blocks, entries, offered) },
  });

  const about = (user: string) => ({
    user: {
      id: user,
      username: user.slice(2).toLowerCase(),
      name: user.slice(2).toLowerCase(),
      team_id: team.id,
    },
    ...{
      team,
      api_app_id: 'A0DWELL',
      token: 'nobody checks it',
      enterprise: null,
      is_enterprise_install: false,
    },
  });

  function respondTo(place: Place, message: Shown | null): string {
    const id = nextId('R');
    responses.set(id, { ...place, message });
    return `${url}/response/${id}`;
  }

  function trigger(user: string): string {
    const id = nextId('trigger');
    triggers.set(id, user);
    return id;
  }

  /** Posts to Dwell as Slack does; what it answers at once. */
  async function post(type: string, body: string): Promise<string> {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', SECRET).update(`v0:${at}:${body}`).digest('hex');
    const answer = await fetch(`${bot}/slack/events`, {
      method: 'POST',
      body,
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${signature}`,
      },
    });
    return `${answer.status} ${await answer.text()}`.trim();
  }

  const form = (fields: Record<string, string>) =>
    post('application/x-www-form-urlencoded', new URLSearchParams(fields).toString());

  const interact = (payload: Json) => form({ payload: JSON.stringify(payload) });

  const event = (inner: Json) =>
    post(
      'application/json',
      JSON.stringify({
        ...{ token: 'nobody checks it', team_id: team.id, api_app_id: 'A0DWELL', type: 'event_callback' },
        ...{ event: inner, event_id: nextId('Ev'), event_time: seconds },
        authorizations: [{ enterprise_id: null, team_id: team.id, user_id: 'U0DWELL', is_bot: true }],
      }),
    );

  /** Where an element of this `action_id`, or with this text on it, is shown: in the open modal, else in the newest message. */
  function find(name: string, { user }: Place, where: string) {
    const modal = modals.findLast((view) => view.user === user);
    const home = homes.get(user);
    const places: { readonly blocks: Json[]; readonly view?: View; readonly message?: Shown }[] =
      where === 'home'
        ? home === undefined
          ? []
          : [{ blocks: home.body.blocks, view: home }]
        : [
            ...(modal === undefined ? [] : [{ blocks: modal.body.blocks, view: modal }]),
            ...shown
              .filter(({ onlyFor }) => onlyFor === null || onlyFor === user)
              .toReversed()
              .map((message) => ({ blocks: message.blocks, message })),
          ];
    for (const place of places)
      for (const { blockId, element } of elementsOf(place.blocks))
        if (element.action_id === name || element.text?.text === name) return { ...place, blockId, element };
    throw new Error(`nothing called "${name}" is shown to ${user}`);
  }

  function partsOf({
    view,
    message,
    user,
  }: {
    view?: View | undefined;
    message?: Shown | undefined;
    user: string;
  }): Json {
    if (view !== undefined) return { container: { type: 'view', view_id: view.id }, view: wireView(view) };
    if (message === undefined) return {};
    const { channel, ts, onlyFor } = message;
    const isEphemeral = onlyFor !== null;
    return {
      container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: isEphemeral },
      channel: { id: channel, name: channel.startsWith('D') ? 'directmessage' : nameOf(channel) },
      ...(isEphemeral ? {} : { message: wireMessage(message) }),
      state: { values: stateOf(message.blocks, {}, offered) },
      response_url: respondTo({ user, channel }, message),
    };
  }

  return {
    apiUrl: `${url}/api/`,
    environment: { SLACK_BOT_TOKEN: 'xoxb-recorded', SLACK_SIGNING_SECRET: SECRET },
    /** Where Dwell listens. */
    botAt(address: string): void {
      bot = address;
    },

    /** The next question, by a number that is its own; instants are those of `now`. */
    next(name: string, now: number): void {
      [seconds, count, question] = [Math.floor(now / 1000), 0, name];
      deeds = [];
    },

    place: (user: string, channel = 'general'): Place => ({
      user: idOf(user),
      channel: channel === 'dm' ? `D${idOf(user).slice(1)}` : channels.get(channel)?.id,
    }),

    /** Waits until Dwell has done so many things; without a number, until it has done nothing for a while. */
    async settled(expected: number | null): Promise<readonly Deed[]> {
      const until = performance.now() + (expected === null ? 5_000 : 20_000);
      let [seen, quiet] = [-1, 0];
      while (performance.now() < until) {
        if (expected !== null && deeds.length >= expected) break;
        quiet = deeds.length === seen ? quiet + 1 : 0;
        seen = deeds.length;
        if (expected === null && quiet > 30) break;
        await sleep(expected === null ? 15 : 2);
      }
      return deeds;
    },

    types: (line: string, { user, channel }: Place) => {
      const [, command = '', text = ''] = /^(\/\S+)\s*(.*)$/s.exec(line) ?? [];
      return form({
        ...{ token: 'nobody checks it', team_id: team.id, team_domain: team.domain, api_app_id: 'A0DWELL' },
        ...{ channel_id: channel, channel_name: channel.startsWith('D') ? 'directmessage' : nameOf(channel) },
        ...{ user_id: user, user_name: user.slice(2).toLowerCase(), command, is_enterprise_install: 'false' },
        text: command === '/delegates' ? mentioned(escaped(text)) : escaped(text),
        response_url: respondTo({ user, channel }, null),
        trigger_id: trigger(user),
      });
    },

    /** Writes a message: to Dwell itself, or in a channel where Dwell is mentioned. */
    says: (text: string, { user, channel }: Place) =>
      event({
        type: channel.startsWith('D') ? 'message' : 'app_mention',
        ...(channel.startsWith('D') ? { channel_type: 'im' } : {}),
        ...{ user, channel, team: team.id, text: mentioned(escaped(text)), ts: nextTs(), event_ts: nextTs() },
      }),

    opensHome: (user: string) =>
      event({ type: 'app_home_opened', user, channel: `D${user.slice(1)}`, tab: 'home', event_ts: nextTs() }),

    clicks: (name: string, place: Place, { where, entry }: { where: string; entry: Json }) => {
      const { user } = place;
      const found = find(name, place, where);
      const { type, action_id, text, value, style, url } = found.element;
      const chosen =
        type === 'button' ? { text, value, style, url } : enteredIn(found.element, entry ?? null, offered);
      return interact({
        type: 'block_actions',
        ...about(user),
        ...partsOf({ ...found, user }),
        trigger_id: trigger(user),
        actions: [{ type, action_id, block_id: found.blockId, action_ts: nextTs(), ...chosen }],
      });
    },

    /** Types into a menu whose options come from Dwell. */
    async asksFor(name: string, place: Place, query: string): Promise<string> {
      const found = find(name, place, '');
      const answer = await interact({
        type: 'block_suggestion',
        ...about(place.user),
        ...partsOf({ ...found, user: place.user }),
        ...{ action_id: found.element.action_id, block_id: found.blockId, value: query },
      });
      const body = JSON.parse(answer.slice(answer.indexOf('{')));
      const groups = (body.option_groups ?? []).flatMap((group: Json) => group.options);
      for (const option of [...(body.options ?? []), ...groups]) offered.set(option.value, option);
      return answer;
    },

    /** Submits the open modal with what was entered, by `action_id`. */
    async submits(entries: Json, { user }: Place): Promise<string> {
      const view = modals.findLast((one) => one.user === user);
      if (view === undefined) throw new Error(`no modal is open for ${user}`);
      const answer = await interact({
        type: 'view_submission',
        ...about(user),
        view: wireView(view, entries),
        ...{ trigger_id: trigger(user), response_urls: [] },
      });
      const start = answer.indexOf('{');
      const { response_action: action, view: next } = start < 0 ? {} : JSON.parse(answer.slice(start));
      if (action === undefined) modals = modals.filter((one) => one !== view);
      else if (action === 'clear') modals = modals.filter((one) => one.user !== user);
      else if (action === 'push') modals.push(asView(user, next));
      else if (action === 'update')
        modals = modals.map((one) => (one === view ? asView(user, next, view.id) : one));
      return answer;
    },

    dismisses({ user }: Place): void {
      modals = modals.filter((one) => one.user !== user);
    },

    /** Picks a shortcut, on the newest message of the channel where it is one of messages. */
    picks: (callbackId: string, { user, channel }: Place, text: string | null) => {
      const parts = {
        ...about(user),
        callback_id: callbackId,
        trigger_id: trigger(user),
        action_ts: nextTs(),
      };
      if (text === null) return interact({ type: 'shortcut', ...parts });
      return interact({
        type: 'message_action',
        ...parts,
        channel: { id: channel, name: nameOf(channel) },
        message: { type: 'message', user: 'U0BOB', text, ts: nextTs() },
        message_ts: `${seconds}.000001`,
        response_url: respondTo({ user, channel }, null),
      });
    },

    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A Slack in which something is recorded. */
export type RecordedSlack = Awaited<ReturnType<typeof startRecordedSlack>>;

const idOf = (user: string): string => people.get(user)?.id ?? `U0${user.toUpperCase()}`;

const nameOf = (channel: string): string =>
  [...channels].find(([, { id }]) => id === channel)?.[0] ?? channel;

function wireUser({ guests: _, ...person }: Json): Json {
  const profile = {
    real_name: title(person.name),
    display_name: person.name,
    email: `${person.name}@example.com`,
  };
  return {
    ...{
      team_id: team.id,
      deleted: false,
      real_name: title(person.name),
      is_admin: false,
      is_restricted: false,
    },
    ...{
      is_ultra_restricted: false,
      is_bot: false,
      is_email_confirmed: true,
      tz_label: person.tz,
      ...person,
    },
    profile: { ...profile, team: team.id },
  };
}

function wireChannel(id: string): Json {
  const { guests: _, ...more } = [...channels.values()].find((one) => one.id === id) ?? { id };
  return {
    ...{ name: nameOf(id), is_channel: true, is_im: false, is_private: false, is_shared: false },
    ...{ is_org_shared: false, is_ext_shared: false, is_pending_ext_shared: false, is_archived: false },
    ...{ is_member: true, num_members: people.size, ...more },
  };
}

const wireMessage = ({ ts, text, blocks }: Shown): Json => ({
  ...{ type: 'message', user: 'U0DWELL', bot_id: 'B0DWELL', app_id: 'A0DWELL', ts, text, blocks },
});

const title = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Mentions as Slack hands them on. */
function mentioned(text: string): string {
  return text.replace(/(^|\s)@([\w.-]+)/g, (whole, before, name) => {
    if (name === 'dwell') return `${before}<@U0DWELL>`;
    return people.has(name) ? `${before}<@${idOf(name)}|${name}>` : whole;
  });
}

/** Blocks with the names that Slack makes up where Dwell gave none. */
function named(blocks: Json[]): Json[] {
  return blocks.map((block, i) => ({ block_id: `b${i}`, ...block }));
}

function elementsOf(blocks: Json[]): { blockId: string; element: Json }[] {
  return blocks.flatMap((block) => [
    ...[...(block.elements ?? []), block.accessory, block.element, ...(block.actions ?? [])]
      .filter((element) => element?.action_id !== undefined)
      .map((element) => ({ blockId: block.block_id, element })),
    ...elementsOf(block.child_blocks ?? []),
  ]);
}

/** How each kind of element names what was entered. */
const entered: Readonly<Record<string, string>> = {
  datepicker: 'selected_date',
  timepicker: 'selected_time',
  users_select: 'selected_user',
  channels_select: 'selected_channel',
  conversations_select: 'selected_conversation',
  static_select: 'selected_option',
  external_select: 'selected_option',
  radio_buttons: 'selected_option',
  overflow: 'selected_option',
  datetimepicker: 'selected_date_time',
  checkboxes: 'selected_options',
  multi_static_select: 'selected_options',
  multi_external_select: 'selected_options',
  multi_users_select: 'selected_users',
};

/** What stands in the fields of a form: what was entered by `action_id`, else what stood there at first. */
function stateOf(blocks: Json[], entries: Json, offered: ReadonlyMap<string, Json>): Json {
  const values: Json = {};
  for (const { blockId, element } of elementsOf(blocks)) {
    if (element.type === 'button' || element.type === 'overflow') continue;
    const entry = entries[element.action_id];
    const value =
      entry === undefined
        ? initialOf(element)
        : { type: element.type, ...enteredIn(element, entry, offered) };
    values[blockId] = { ...values[blockId], [element.action_id]: value };
  }
  return values;
}

function initialOf(element: Json): Json {
  const name = entered[element.type] ?? 'value';
  const initial = `initial_${name.replace('selected_', '')}`;
  return { type: element.type, [name]: element[initial] ?? (name.endsWith('s') ? [] : null) };
}

function enteredIn(element: Json, entry: Json, offered: ReadonlyMap<string, Json>): Json {
  const name = entered[element.type] ?? 'value';
  const groups = (element.option_groups ?? []).flatMap((group: Json) => group.options);
  const options = [...(element.options ?? []), ...groups, ...(element.initial_options ?? [])];
  if (element.initial_option) options.push(element.initial_option);
  const option = (value: string) =>
    options.find((one) => one.value === value || one.text?.text === value) ?? offered.get(value) ?? null;
  if (name === 'selected_option') return { [name]: entry === null ? null : option(entry) };
  if (name === 'selected_options') return { [name]: (entry ?? []).map(option) };
  return { [name]: entry };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function argumentsIn(text: string, type = ''): Json {
  if (type.includes('json')) return JSON.parse(text);
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, read(value)]));
}

/** Slack takes JSON in the fields of a form. */
function read(value: string): Json {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

async function fileIn(body: Buffer, type: string): Promise<Buffer> {
  if (!type.startsWith('multipart/form-data')) return body;
  const parts = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const file = [...parts.values()].find((part) => typeof part !== 'string');
  return file === undefined || typeof file === 'string' ? body : Buffer.from(await file.arrayBuffer());
}
