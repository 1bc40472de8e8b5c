import type { Person } from '../../playground/playground-options.ts';
import type { Message } from '../../playground/workspace.ts';
import type { StandInSlack } from './stand-in-slack.ts';
import { startDwellInSlack } from './start-slack.ts';

const person = (name: string, email = `${name}@example.com`): Person => ({
  id: `U0${name.toUpperCase()}`,
  name,
  realName: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  email,
  tz: 'Europe/Berlin',
});

/** Some of the sample's company by their email addresses, ada an admin there; of zoe the tracker knows nothing. */
const people = [
  person('ada'),
  person('bob'),
  person('carl', 'CARL@Example.com'),
  person('dora'),
  person('zoe'),
];

/** A Wednesday. */
export const NOON = '2026-03-18T12:00:00.000Z';

/** A Dwell in a stand-in Slack of the sample's people, and the sentences they say about delegations. */
export async function startDelegatesInSlack() {
  const place = await startDwellInSlack({
    at: NOON,
    people,
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC', BASE_URL: 'https://dwell.example' },
  });
  const { slack } = place;
  return {
    ...place,

    /** Types `/delegates` and more as somebody; resolves to the one answer, which only they see. */
    async says(line: string, as = 'ada'): Promise<Message> {
      let answer = await slack.answerTo(`/delegates ${line}`.trim(), { as });
      // What others are told directly meanwhile is no answer.
      while (answer.onlyFor === undefined && answer.channel.startsWith('D')) answer = await slack.reply();
      if (answer.onlyFor !== `U0${as.toUpperCase()}`) throw new Error(`seen by others: ${answer.text}`);
      return answer;
    },

    /** What the app told somebody directly. */
    toldDirectly: (name: string): readonly string[] =>
      slack
        .messages({ channel: 'dm', as: name })
        .filter(({ byApp, onlyFor }) => byApp && onlyFor === undefined)
        .map(({ text }) => text),

    /** Opens the form of `/delegates set` as somebody; a word stands there first. */
    async opensForm(as = 'ada') {
      await slack.types('/delegates set', { as });
      await slack.modal(as);
      return slack.modal(as);
    },
  };
}

/** An instant as a datetimepicker sends it. */
export function seconds(iso: string): string {
  return String(Date.parse(iso) / 1000);
}

/** The elements of the form of a person, by their block. */
export function inputsOf(slack: StandInSlack, as: string) {
  const [view] = slack.openModals(as);
  return Object.fromEntries((view?.blocks ?? []).map((block) => [block.block_id, block.element]));
}
