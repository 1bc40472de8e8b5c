import { allowProjects, forbidProjects, readProjectKeys } from '../../api/channels/create-channels.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { type AppError, badRequest, badRequestAs } from '../../model/error.ts';
import { calendarName } from '../../time/working-days.ts';
import type { SlashCommand, SlashInvocation } from '../app/handler-types.ts';
import { hoursInForce, isDirect } from '../app/hours-here.ts';
import { notice } from '../app/message-texts.ts';
import { lineRefusal, orElse, typedSentences, usageRefusal } from '../app/show-failure.ts';
import { unknownWord } from '../ask/grammar/names-meant.ts';
import { readCalendar, readZone, zoneRemark } from '../ask/grammar/read-calendar.ts';
import { oneOf, unquoted } from '../ask/grammar/typed-words.ts';
import type { Message } from '../blocks/message.ts';
import { resolvePrincipal } from '../people/accounts.ts';
import { identify } from '../people/identify.ts';
import { type AudienceChange, audienceLine } from './audience.ts';
import { isOurConversation } from './channel-facts.ts';
import { type ChannelSettingsParts, changeList, openSettings } from './settings-form.ts';
import { sharedText } from './status.ts';

/** `/tis settings`: the form for this channel and the person who asks. */
export const tisSettings: SlashCommand<ChannelSettingsParts> = {
  root: '/tis',
  word: 'settings',
  usage: '/tis settings',
  summary: 'settings of this channel, your own, and the flow of a project, with how fresh the data is',
  examples: ['/tis settings'],
  alone: openSettings,
  answer: async ({ text }) => [usageRefusal(text, tisSettings.usage)],
};

/** `/tis audience`: which projects can be shared in a channel; admins change that, alone it opens the settings. */
export const tisAudience: SlashCommand<ChannelSettingsParts> = {
  root: '/tis',
  word: 'audience',
  isInSettings: true,
  usage: '/tis audience [allow PROJECT[,PROJECT…] [with guests] | forbid PROJECT | reset]',
  summary: 'projects that can be shared in this channel; admins change them',
  examples: ['/tis audience', '/tis audience allow WEB', '/tis audience allow WEB,APP with guests'],
  details:
    'Before I post anything in a channel, I check that everyone there can see it. Without a list I share what every Dwell user can see, and nothing if the channel has guests or is shared with other workspaces; if Jira decides who sees what, nothing at all.',
  answer: (invocation, parts) =>
    invocation.text === ''
      ? openSettings(invocation, parts)
      : corrected(changeAudience(invocation, parts), '/tis audience', invocation.text),
};

async function changeAudience(invocation: SlashInvocation, parts: ChannelSettingsParts): Promise<Message> {
  const { channel } = invocation.place;
  if (isDirect(channel)) {
    const ours = await isOurConversation(channel, parts.channelFacts);
    const lead = ours ? 'Only you and I are in this conversation.' : "I'm not part of this conversation.";
    return notice(lead, 'Type this in the channel it is about.');
  }
  const change = readAudienceChange(invocation.text);
  const { account, principal, hasAdmins } = await identify(invocation, parts);
  if (principal.rights !== 'admin') {
    return notice(
      hasAdmins
        ? 'Only an admin can change which projects can be shared here.'
        : `No Dwell admin yet. On the server: \`${audienceLine(change, channel)}\`.`,
    );
  }
  const { projects } = await parts.channels.channel(channel);
  await changeList(channel, { account, principal }, listAfter(change, projects), parts);
  return notice('Done.', await sharedText(channel, principal, parts));
}

const USUAL = 'default';

/** `/tis calendar`: the hours and the time zone of a channel, or a person's own; alone it opens the settings. */
export const tisCalendar: SlashCommand<ChannelSettingsParts> = {
  root: '/tis',
  word: 'calendar',
  isInSettings: true,
  usage: '/tis calendar [use NAME | zone ZONE]',
  summary: 'the working calendar and the time zone of this channel',
  examples: ['/tis calendar use 24/7', '/tis calendar zone Europe/Berlin', '/tis calendar use default'],
  details:
    "Applies to every answer in this channel that doesn't name a calendar; in direct messages with me, only to yours. `default` resets it.",
  answer: (invocation, parts) =>
    invocation.text === ''
      ? openSettings(invocation, parts)
      : corrected(changeHours(invocation, parts), '/tis calendar', invocation.text),
};

async function changeHours(
  { text, words: [what = ''], place, principal: { account } }: SlashInvocation,
  parts: ChannelSettingsParts,
): Promise<Message> {
  const { channels } = parts;
  const calendars = await parts.settings.calendars(await resolvePrincipal(account, parts));
  const typed = unquoted(text.slice(what.length).trim());
  const isUsual = typed.toLowerCase() === USUAL;
  const verb = typed === '' ? undefined : oneOf(['use', 'zone'], what);
  if (verb === undefined) throw badRequest(`I don't understand "${text.slice(0, 60)}" here.`);
  if (verb === 'use') {
    const calendar = readCalendar(typed, calendars);
    if (calendar === null && !isUsual) {
      throw unknownWord('calendar', typed, [...calendars.map(calendarName), USUAL]);
    }
    if (isDirect(place.channel)) await channels.changePreferences(account, { calendar });
    else await channels.changeChannel(place.channel, { calendar }, account);
  } else {
    if (isDirect(place.channel)) {
      throw badRequest("In direct messages your Slack time zone is used. Change it in Slack's preferences.");
    }
    await channels.changeChannel(place.channel, { timeZone: isUsual ? null : readZone(typed) }, account);
  }
  const taken = verb === 'zone' ? zoneRemark(typed) : null;
  const hours = await hoursInForce(place, account, calendars, parts);
  return notice('Done.', hours, ...(taken === null ? [] : [taken]));
}

/** `/tis unfurl`: time in status under links to issues in a channel; alone it opens the settings. */
export const tisUnfurl: SlashCommand<ChannelSettingsParts> = {
  root: '/tis',
  word: 'unfurl',
  isInSettings: true,
  usage: '/tis unfurl [on|off]',
  summary: 'time in status under links to issues in this channel',
  examples: ['/tis unfurl on', '/tis unfurl off'],
  details:
    "Off until someone in the channel turns it on. Shows nothing for three or more links in a message, for an issue shown in the last 30 minutes, or if anyone here can't see the issue.",
  alone: openSettings,
  async answer({ text, place, principal }, parts) {
    const choice = oneOf(['on', 'off'], text);
    if (choice === undefined) return [usageRefusal(text, tisUnfurl.usage)];
    await parts.channels.changeChannel(place.channel, { unfurls: choice === 'on' }, principal.account);
    return [
      choice === 'on'
        ? notice('Previews of issue links are on here.', linksNeed)
        : notice('Previews of issue links are off here.'),
    ];
  },
};

const linksNeed =
  "If none appear, a workspace admin still has to add the scopes `links:read` and `links:write`, the event `link_shared` and your Jira domain (*App unfurl domains*) in the app's settings.";

/** The message about a change, or about what was wrong with the typed text, with a way to the form. */
async function corrected(
  changed: Promise<Message>,
  command: string,
  typed: string,
): Promise<readonly Message[]> {
  const advice = { text: '', lines: ['/tis settings', `/tis help ${command.slice(5)}`] };
  const refused = (error: AppError) =>
    lineRefusal(error, `${command} ${typed}`, typedSentences(error), advice);
  return [await orElse(changed, refused, 'bad-request')];
}

/** Reads `allow|forbid|reset [PROJECT,PROJECT…] [with guests]`; what is wrong is a `bad-request`. */
function readAudienceChange(typed: string): AudienceChange {
  const [, word = '', remainder = ''] = /^(\S*)\s*(.*)$/s.exec(typed.trim()) ?? [];
  const verb = oneOf(['allow', 'forbid', 'reset'], word);
  if (verb === undefined)
    throw badRequestAs('unknown-name', `I don't understand "${word}". Try: allow, forbid, reset.`);
  const bare = verb === 'allow' ? remainder.replace(/(^|\s+)with\s+guests$/i, '') : remainder;
  if (verb === 'reset') {
    if (remainder !== '') throw badRequestAs('unknown-parameter', 'reset takes nothing after it.');
    return { verb, keys: [], withGuests: false };
  }
  const keys = readProjectKeys(bare);
  if (keys.length === 0)
    throw badRequestAs('missing-value', `The project is missing after ${verb}. Try: keys, such as WEB.`);
  return { verb, keys, withGuests: bare !== remainder };
}

/** A channel's list after a change. */
function listAfter(
  { verb, keys, withGuests }: AudienceChange,
  current: readonly AllowedProject[] | null,
): readonly AllowedProject[] | null {
  if (verb === 'reset') return null;
  return verb === 'allow' ? allowProjects(current, keys, withGuests) : forbidProjects(current, keys);
}
