import { millisecondsInHour } from 'date-fns/constants';
import { afterEach, describe, expect, test } from '#jest';
import { buildTracker } from '../../../src/compose/build-tracker.ts';
import { AppError } from '../../../src/model/error.ts';
import type { WorkingTime } from '../../../src/model/settings.ts';
import { readZone } from '../../../src/slack/ask/grammar/read-calendar.ts';
import { checkBlocks } from '../../../src/slack/blocks/check-blocks.ts';
import { hoursText } from '../../../src/time/working-days.ts';
import { slackPerson } from '../../support/slack-person.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

const people = [slackPerson('ada', { tz: 'Europe/Berlin' }), slackPerson('bob', { tz: 'Asia/Tokyo' })];
const channels = ['web', 'app'].map((name) => ({
  ...{ id: `C0${name.toUpperCase()}`, name, members: ['U0ADA', 'U0BOB'] },
}));

let place: Awaited<ReturnType<typeof startDwellInSlack>>;
let isOpen = false;
afterEach(async () => {
  if (isOpen) await place.stop();
  isOpen = false;
});

/** Whether the tracker says what people can see. */
let isDown = false;
const trackerBuilder: typeof buildTracker = async (config, parts) => {
  const built = await buildTracker(config, parts);
  return {
    ...built,
    async mirror() {
      const source = await built.mirror();
      const directoryFor: typeof source.directoryFor = async (principal) => {
        if (isDown) throw new AppError('service-unavailable', 'Jira is down.');
        return source.directoryFor(principal);
      };
      return { ...source, directoryFor };
    },
  };
};

/** The sample's company, in which ada is an admin and bob is not. */
async function startCompany() {
  isDown = false;
  place = await startDwellInSlack({
    ...{ people, channels, trackerBuilder },
    environment: { TRACKER: 'sample', TIME_ZONE: 'UTC' },
  });
  isOpen = true;
  return place.slack;
}

/** Opens the form, once it is filled. */
async function opens(line = '/tis settings', { as = 'ada', in: where = 'web' } = {}) {
  await place.slack.types(line, { as, in: where });
  let view = await place.slack.modal(as);
  while (!JSON.stringify(view).includes('Your calendar')) view = await place.slack.modal(as);
  expect(checkBlocks(view.blocks, 'modal')).toEqual([]);
  return JSON.stringify(view.blocks);
}

/** Submits the form, and waits for its last word. */
async function saves(entries: Parameters<typeof place.slack.submits>[0], as = 'ada') {
  const submitted = await place.slack.submits(entries, { as });
  let text = '';
  while (!text.includes('Saved.')) text = JSON.stringify((await place.slack.modal(as)).blocks);
  await place.slack.dismisses({ as });
  return submitted;
}

const said = async (line: string, { as = 'ada', in: where = 'web' } = {}) => {
  return (await place.slack.answerTo(line, { as, in: where })).text;
};

describe('/tis settings', () => {
  test('what an admin saves counts, and the next form shows it', async () => {
    const slack = await startCompany();
    await opens();
    expect(JSON.stringify(await slack.asksForOptions('project-menu:shared', 'we'))).toContain(
      '"value":"WEB"',
    );
    await slack.asksForOptions('project-menu:guests', '');
    await slack.asksForOptions('zone-menu', 'tokyo');
    await saves({
      'project-menu:shared': ['WEB', 'APP'],
      'project-menu:guests': ['WEB'],
      'zone-menu': 'Asia/Tokyo',
      links: ['on'],
    });
    const status = await said('/tis status');
    expect(status).toContain('*Here* 24/7, Tokyo time.');
    expect(status).toContain('Projects that can be shared here: `APP`, `WEB` (with guests).');
    const form = await opens();
    expect(form).toMatch(/"initial_option":\{[^}]*\},"value":"Asia\/Tokyo"/);
    await saves({ 'project-menu:shared': [], 'project-menu:guests': [] });
    expect(await said('/tis status')).toContain('Anything every Dwell user can see can be shared here');
  });

  test('what others change while the form is open stays, unless it was changed in the form', async () => {
    await startCompany();
    await said('/tis audience allow WEB,APP with guests');
    await opens();
    await place.dwell.types('audience', 'C0WEB', 'forbid', 'WEB');
    await said('/tis calendar zone Asia/Tokyo', { as: 'bob' });
    await saves({ links: ['on'], 'project-menu:guests': ['WEB'] });
    const status = await said('/tis status');
    expect(status).toContain('*Here* 24/7, Tokyo time.');
    expect(status).toContain('Projects that can be shared here: `APP`.');
  });

  test.each([120, 60])(
    'of %i long names in the list, those that do not fit into the form stay',
    async (many) => {
      await startCompany();
      const keys = Array.from({ length: many }, (_, i) => `P${String(i).padStart(3, '0')}`.padEnd(20, 'X'));
      await place.dwell.types('audience', 'C0WEB', 'allow', ...keys, '--with-guests');
      const before = await said('/tis status');
      expect(await opens()).toContain(keys[0]);
      await saves({ links: ['on'] });
      expect(await said('/tis status')).toBe(before);
    },
  );

  test('while nobody knows what an admin can see, the list is not in the form, and stays', async () => {
    await startCompany();
    await said('/tis audience allow WEB');
    isDown = true;
    expect(await opens()).not.toContain('project-menu:shared');
    isDown = false;
    await saves({ links: ['on'] });
    expect(await said('/tis status')).toContain('Projects that can be shared here: `WEB`.');
  });

  test('a project for guests that is not in the list is refused at its field', async () => {
    const slack = await startCompany();
    await opens();
    await slack.asksForOptions('project-menu:guests', '');
    const submitted = await slack.submits({ 'project-menu:guests': ['APP'] });
    expect(JSON.stringify(submitted)).toContain('APP must also be in the list above.');
    expect(await said('/tis status')).toContain('Anything every Dwell user can see can be shared here');
  });

  test('others read who can change the project list, and choose the rest', async () => {
    await startCompany();
    const form = await opens('/tis settings', { as: 'bob' });
    expect(form).toContain('An admin can change it: `/tis audience allow PROJECT`.');
    expect(form).not.toContain('project-menu:shared');
    await saves({ links: ['on'] }, 'bob');
    expect(await opens('/tis settings', { as: 'bob' })).toContain(
      '"initial_options":[{"text":{"type":"plain_text","text":"Show time',
    );
  });

  test('in the conversation with the app it is about you alone', async () => {
    const slack = await startCompany();
    const form = await opens('/tis settings', { in: 'dm' });
    expect(form).not.toContain('This channel');
    await slack.asksForOptions('project-menu:mine', 'app');
    await saves({ 'project-menu:mine': ['APP'] });
    expect(await opens('/tis settings', { in: 'dm' })).toMatch(/initial_options.*"value":"APP"/);
  });

  test('where Slack takes no view for a while, it says so at once', async () => {
    const slack = await startCompany();
    slack.faults.rateLimitNext('views.update', 20);
    await slack.types('/tis settings', { in: 'web' });
    let view = await slack.modal('ada');
    while (JSON.stringify(view).includes('Looking up')) view = await slack.modal('ada');
    expect(JSON.stringify(view)).toContain('Slack is busy. Try again in 20 seconds.');
  });

  test('a button shows how to link another Jira user', async () => {
    const slack = await startCompany();
    await opens();
    await slack.clicks('Change');
    expect(JSON.stringify((await slack.modal()).blocks)).toContain(
      'Link your Slack account to your Jira user.',
    );
  });

  test.each(['/tis audience', '/tis calendar', '/tis unfurl'])('%s alone opens it as well', async (line) => {
    await startCompany();
    expect(await opens(line)).toContain('This channel');
  });

  test('more after it is not understood, and a button opens it', async () => {
    const slack = await startCompany();
    const text = await said('/tis settings please');
    expect(text).toBe("I don't understand `please` after `/tis settings`. You can run `/tis settings`.");
    await slack.clicks('/tis settings');
    await slack.modal();
  });
});

describe('/tis calendar', () => {
  test('chooses hours and zone of a channel, and takes them back', async () => {
    await startCompany();
    expect(await said('/tis calendar zone new york')).toBe('Done. 24/7, New York time.');
    expect(await said('/tis calendar zone default')).toContain('24/7, UTC.');
    expect(await said('/tis calendar use 24/7')).toContain('Done. 24/7');
  });

  test.each([
    ['use', 'I don\'t understand "use" here.'],
    [
      'zone Berln',
      'I couldn\'t find the time zone "Berln". Did you mean `/tis calendar zone Europe/Berlin`?',
    ],
    ['use Nope', `I couldn't find the calendar "Nope". Try: `],
  ])('%s is refused, with a button to the form', async (typed, sentence) => {
    await startCompany();
    const text = await said(`/tis calendar ${typed}`);
    expect(text).toContain(sentence);
    expect(text).toContain('`/tis settings` or `/tis help calendar`.');
  });
});

describe('the time zone of a channel', () => {
  const note = (zone: string) =>
    `Times in <#C0WEB> are ${zone} time, from your Slack profile. Change: \`/tis settings\``;

  test('begins as that of the first person who asks there, and their answer alone says so', async () => {
    await startCompany();
    expect(await said('/tis settings now')).not.toContain('Times in');
    expect(await said('/tis weekly WEB', { as: 'bob' })).toContain(note('Tokyo'));
    expect(await said('/tis weekly WEB', { as: 'bob' })).not.toContain('Times in');
    expect(await said('/tis weekly WEB')).not.toContain('Times in');
    expect(await said('/tis status')).toContain('*Here* 24/7, Tokyo time.');
  });

  test('is said in the small print above the buttons, so that a weekly answer stays short', async () => {
    const slack = await startCompany();
    const { blocks = [] } = await slack.answerTo('/tis weekly WEB', { as: 'bob', in: 'web' });
    expect(blocks.slice(-2).map(({ type }) => type)).toEqual(['context', 'actions']);
    const print = JSON.stringify(blocks.at(-2));
    expect(print).toMatch(/history complete.*Times in <#C0WEB> are Tokyo time/);
    expect(blocks.filter(({ type }) => type === 'context')).toHaveLength(1);
  });

  test('of two who ask at once one is first, and both read the same times', async () => {
    const slack = await startCompany();
    await Promise.all([
      slack.types('/tis weekly WEB', { as: 'ada', in: 'web' }),
      slack.types('/tis weekly WEB', { as: 'bob', in: 'web' }),
    ]);
    const texts = [(await slack.reply()).text, (await slack.reply()).text];
    expect(texts.filter((text) => text.includes('Times in <#C0WEB>'))).toHaveLength(1);
    expect(await said('/tis status')).toMatch(/\*Here\* 24\/7, (?:Berlin|Tokyo) time\./);
  });

  test('that was chosen stays, and a conversation with the app has none of its own', async () => {
    await startCompany();
    await said('/tis calendar zone Asia/Tokyo', { in: 'app' });
    expect(await said('/tis weekly WEB', { in: 'app' })).not.toContain('Times in');
    expect(await said('/tis weekly WEB', { in: 'dm' })).not.toContain('Times in');
  });
});

const shift = (weekday: WorkingTime['weekday'], start: number, end: number): WorkingTime => ({
  ...{ weekday, start: start * millisecondsInHour, end: end * millisecondsInHour },
});

test.each<[readonly WorkingTime[], string]>([
  [
    [shift('MONDAY', 9, 17), shift('TUESDAY', 9, 17), shift('THURSDAY', 9, 17), shift('FRIDAY', 9, 15.5)],
    'Mon–Tue 09:00–17:00, Thu 09:00–17:00, Fri 09:00–15:30',
  ],
  [[shift('SUNDAY', 13, 24), shift('SUNDAY', 0, 12)], 'Sun 00:00–12:00 and 13:00–24:00'],
  [[shift('SATURDAY', 22, 6)], 'Sat 22:00–06:00'],
])('working hours in words: %j', (workingTimes, text) => {
  expect(hoursText({ id: 1, workingTimes })).toBe(text);
});

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
])('a zone: %s', (typed, zone) => {
  expect(readZone(typed)).toBe(zone);
});

test.each(['Berln', '+02:00', '', '<!channel>'])('a zone that is none: %s', (typed) => {
  expect(() => readZone(typed)).toThrow(expect.objectContaining({ code: 'bad-request' }));
});
