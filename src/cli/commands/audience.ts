import { allowProjects, forbidProjects, readProjectKeys } from '../../api/channels/create-channels.ts';
import type { AllowedProject } from '../../model/chat.ts';
import { badRequest, badRequestAs } from '../../model/error.ts';
import { createCommand } from '../cli-command.ts';

const BY = 'command line';

/** Shows which projects a Slack channel may read, or sets them. */
export const audience = createCommand({
  name: 'audience',
  usage: 'audience CHANNEL [allow PROJECT[,PROJECT…] [--with-guests] | forbid PROJECT[,PROJECT…] | reset]',
  summary: 'show or change the projects that can be shared in a Slack channel',
  details:
    'A channel without a list shares only what every Dwell user can see. allow adds projects, forbid removes them, reset deletes the list.',
  words: {
    '[CHANNEL]': 'the channel ID in its details in Slack, such as C012AB3CD',
    '[allow|forbid|reset]': 'what to change',
    '[PROJECT...]': 'keys such as WEB, with commas or blanks between them',
  },
  options: {
    '--with-guests': 'with allow: share them even if the channel has guests or people of other workspaces',
    '--json': 'print JSON: { channel, projects }: null without a list, else an array of { key, withGuests }',
  },
  examples: ['audience C012AB3CD', 'audience C012AB3CD allow WEB,APP', 'audience C012AB3CD reset'],
  async run(typed, { channels, out, json }) {
    const [channelWord = '', verb, ...words] = typed.words;
    const withGuests = typed.isOn('with-guests');
    const channel = channelOf(channelWord);
    const keys = readProjectKeys(words.join(' '));
    if (withGuests && verb !== 'allow') {
      throw badRequest(`--with-guests needs allow. Try: ${audience.usage}.`);
    }
    if (verb !== undefined) {
      const { projects: current } = await channels.channel(channel);
      const projects = listAfter(verb, { current, keys, withGuests });
      await channels.changeChannel(channel, { projects }, BY);
    }
    const { projects } = await channels.channel(channel);
    json({ channel, projects });
    for (const line of linesOf(channel, projects)) out(line);
    return 0;
  },
});

/** Names of channels change, and say nothing to whom Slack is not asked. */
function channelOf(text: string): string {
  const channel = text.trim().toUpperCase();
  if (/^[CG][A-Z0-9]{2,}$/.test(channel)) return channel;
  throw badRequest(`CHANNEL '${text}' is not the ID of a Slack channel. Try: one such as C012AB3CD.`);
}

function listAfter(
  verb: string,
  {
    current,
    keys,
    withGuests,
  }: {
    readonly current: readonly AllowedProject[] | null;
    readonly keys: readonly string[];
    readonly withGuests: boolean;
  },
): readonly AllowedProject[] | null {
  if (verb === 'reset') {
    if (keys.length > 0) throw badRequestAs('unknown-parameter', 'reset takes nothing after it.');
    return null;
  }
  if (verb !== 'allow' && verb !== 'forbid') {
    throw badRequestAs('unknown-name', `'${verb}' is not known. Try: allow, forbid, reset.`);
  }
  if (keys.length === 0)
    throw badRequestAs('missing-value', `PROJECT is missing after ${verb}. Try: keys, such as WEB.`);
  return verb === 'allow' ? allowProjects(current, keys, withGuests) : forbidProjects(current, keys);
}

function linesOf(channel: string, projects: readonly AllowedProject[] | null): string[] {
  if (projects === null) {
    return [
      `${channel} has no project list: anything every Dwell user can see can be shared there, nothing if it has guests.`,
    ];
  }
  if (projects.length === 0) return [`No project can be shared in ${channel}.`];
  return [
    `Projects that can be shared in ${channel}:`,
    ...projects.map(({ key, withGuests }) => (withGuests ? `${key}  with guests` : key)),
  ];
}
