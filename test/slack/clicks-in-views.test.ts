import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../playground/workspace.ts';
import { button } from '../../src/slack/messages/button.ts';
import { until } from '../support/local-exports.ts';
import { startTeamInSlack } from '../support/team-in-slack.ts';

let place: Awaited<ReturnType<typeof startTeamInSlack>>;
let run: string;
beforeEach(async () => {
  place = await startTeamInSlack();
  const answer = await place.says('/tis project WEB list');
  run =
    /"action_id":"share-answer"[^}]*\}[^}]*"value":"(\w+)"/.exec(JSON.stringify(answer.blocks))?.[1] ?? '';
  const web = new WebClient(place.slack.botToken, { slackApiUrl: place.slack.apiUrl });
  const elements = [
    button('Why?', 'why-answer', run),
    button('Next', 'turn-page', `${run} 10`),
    button('Export', 'export-answer', run),
    button('Share', 'share-answer', run),
  ];
  const lost = [button('Lost', 'turn-page', 'nothing 10')];
  const view = {
    type: 'home' as const,
    blocks: [elements, lost].map((row) => ({ type: 'actions' as const, elements: row })),
  };
  await web.views.publish({ user_id: 'U0ADA', view });
});
afterEach(() => place.stop());

/** What the app told ada directly. */
const direct = (words: string): Promise<Message> =>
  until(() => place.openIn('D0ADA').find(({ text }) => text.includes(words)) ?? null);

describe('a click in the Home tab', () => {
  test('opens a modal, in which a menu changes what it shows', async () => {
    await place.slack.clicks('Why?', { on: 'home' });
    const view = await until(() => {
      const shown = place.slack.openModals().at(-1);
      return shown !== undefined && JSON.stringify(shown.blocks).includes('explain-figure') ? shown : null;
    });
    expect(view.private_metadata).toBe(run);
  });

  test('is answered in the conversation with the app', async () => {
    await place.slack.clicks('Next', { on: 'home' });
    expect(JSON.stringify((await direct('of 12')).blocks)).toMatch(/WEB-\d+/);
    await place.slack.clicks('Share', { on: 'home' });
    await direct('Only you and I read here.');
  });

  test('what went wrong is told there too', async () => {
    await place.slack.clicks('Lost', { on: 'home' });
    await direct('not known any more');
  });

  test('a file comes there as well', async () => {
    await place.slack.clicks('Export', { on: 'home' });
    const form = await place.slack.modal();
    expect(JSON.stringify(form.blocks)).toContain('in our conversation');
    await place.slack.submits({ format: 'csv' });
    await direct('as CSV: 12 issues');
    const [file] = place.slack.files();
    expect(file?.name).toMatch(/\.csv$/);
    await until(() => JSON.stringify(place.slack.openModals()).includes('on its way to our conversation'));
  });
});
