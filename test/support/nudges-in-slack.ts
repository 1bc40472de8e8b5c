import { WebClient } from '@slack/web-api';
import type { View } from '../../playground/open-views.ts';
import type { Message } from '../../playground/workspace.ts';
import { exportFile, isAssignedTo, jiraIssue, jiraUser, movesTo } from './jira-export.ts';
import { until } from './local-exports.ts';
import { shares } from './share-in-slack.ts';
import { slackPerson } from './slack-person.ts';
import { startDwellInSlack } from './start-slack.ts';

const created = '2026-03-02T09:00:00.000Z';

/** Work that waits since a day. */
function waiting(key: string, assignee: string | null, since = '2026-03-14T12:00:00.000Z') {
  return jiraIssue(key, { created })
    .at('2026-03-02T10:00:00.000Z', isAssignedTo(assignee))
    .at(since, movesTo('In Progress'));
}

/** The issue as it is exported, with its address. */
function exported(story: ReturnType<typeof waiting>) {
  const issue = story.onCloud();
  return { ...issue, self: `https://tracker.example/rest/api/3/issue/${issue.id}` };
}

/** Issues that took a day, so that it is known what is usual; ben has WEB-6, and OPS-1, which only ada and cleo see. */
export const waitingIssues = [
  ...Array.from({ length: 5 }, (_, i) =>
    jiraIssue(`WEB-${i + 1}`, { created })
      .at('2026-03-10T09:00:00.000Z', movesTo('In Progress'))
      .at('2026-03-11T09:00:00.000Z', movesTo('Done')),
  ),
  waiting('WEB-6', 'ben'),
  waiting('WEB-7', 'dora', '2026-03-15T12:00:00.000Z'),
  waiting('WEB-8', 'cleo', '2026-03-16T12:00:00.000Z'),
  waiting('OPS-1', 'ben'),
  waiting('OPS-2', 'cleo'),
].map(exported);

/** Ben is in New York, where it is eight in the morning; dora is not in Slack; of zoe the tracker knows nothing. */
const people = [
  slackPerson('ada', { admin: true }),
  slackPerson('ben', { tz: 'America/New_York' }),
  slackPerson('cleo', { tz: 'Europe/Berlin' }),
  slackPerson('zoe'),
];

const members = ['U0ADA', 'U0BEN', 'U0CLEO', 'U0ZOE'];

/** A Dwell in a stand-in Slack, with issues that wait, and the sentences people say about nudges. */
export async function startNudgesInSlack() {
  const place = await startDwellInSlack({
    people,
    channels: [{ id: 'C0TEAM', name: 'team', members }],
    at: '2026-03-18T12:00:00Z',
    environment: { TRACKER: 'file', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
  });
  const { slack, dwell } = place;
  const users = ['ada', 'ben', 'cleo', 'dora'].map(jiraUser);
  await dwell.types('import', exportFile(waitingIssues), exportFile(users));
  await dwell.types('access', 'OPS', '--to', 'ada,cleo');

  /** The modal of a person once it is what is waited for, and its texts. */
  async function modalOf(as: string, isIt: (view: View) => boolean) {
    const view = await until(() => {
      const shown = slack.openModals(as).at(-1);
      return shown !== undefined && isIt(shown) ? shown : null;
    });
    return { view, text: textsOf(view.blocks), isForm: view.submit !== null };
  }

  return {
    ...place,

    /** The answer to a line in the channel, which only that person sees. */
    async says(line: string, as = 'ada', where = 'team'): Promise<Message> {
      await slack.types(line, { as, in: where });
      return slack.reply();
    },

    /** The answer about an issue, shared in the channel by ada. */
    async shared(key: string): Promise<Message> {
      const answer = await slack.answerTo(`/tis ${key}`, { as: 'ada', in: 'team' });
      await shares(slack, { as: 'ada', on: answer });
      return slack.reply();
    },

    /** The form, or why there is none, after a click on a button. */
    async opens(on: Message, { as = 'ada', button = 'nudge-assignee' } = {}) {
      const before = slack.openModals(as).at(-1)?.id;
      await slack.clicks(button, { as, on });
      return modalOf(
        as,
        ({ id, blocks }) => id !== before && !textsOf(blocks).includes('Looking at the issue'),
      );
    },

    /** What the modal says once the form was submitted. */
    async submits(entries: Readonly<Record<string, string>>, as = 'ada'): Promise<string> {
      await slack.submits(entries, { as });
      const isOver = ({ submit, blocks }: View) =>
        submit === null && !/^(Sending|Saving)…$/.test(textsOf(blocks));
      return (await modalOf(as, isOver)).text;
    },

    /** The app posts blocks to a person, whatever is in them. */
    async posts(to: string, blocks: Message['blocks']): Promise<Message> {
      const web = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
      await web.chat.postMessage({
        channel: `U0${to.toUpperCase()}`,
        text: 'Forged',
        blocks: blocks as never,
      });
      const posted = slack.playground.messages(`D0${to.toUpperCase()}`).at(-1);
      if (posted === undefined) throw new Error('nothing was posted');
      return posted;
    },

    /** Imports an issue once more, in a status that it has moved to at noon. */
    async moves(key: string, status: string): Promise<void> {
      const story = waiting(key, 'ben').at('2026-03-18T12:00:00.000Z', movesTo(status));
      await dwell.types('import', exportFile([exported(story)]), exportFile(users));
    },

    /** The messages of the app in a person's conversation with it. */
    direct: (name: string) =>
      slack.playground.messages(`D0${name.toUpperCase()}`).filter(({ byApp }) => byApp),
  };
}

/** Every text that people read in some blocks, a line each. */
export function textsOf(blocks: unknown): string {
  const texts = JSON.stringify(blocks ?? []).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g);
  return [...texts].map(([, text = '']) => String(JSON.parse(`"${text}"`))).join('\n');
}
