import { afterEach, beforeEach, describe, expect, test } from '#jest';
import type { Message } from '../../../playground/workspace.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';

type World = Awaited<ReturnType<typeof startDwellInSlack>>;
let world: World;
afterEach(() => world.stop());

const textOf = ([message]: readonly Message[]) => message?.text ?? '';

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  beforeEach(async () => {
    world = await startDwellInSlack({ mode });
  });

  /** Makes a digest and answers what was told. */
  const make = async (line = '/tis digest aging WEB every monday at 9') => textOf(await world.asks(line));

  /** Presses a button under the newest message that has it, and waits for so many replies. */
  async function press(name: string, replies = 1): Promise<Message[]> {
    await world.slack.clicks(name);
    const messages: Message[] = [];
    while (messages.length < replies) messages.push(await world.slack.reply());
    return messages;
  }

  test('a digest is made from words, and told back with its next three times', async () => {
    const told = await make();
    expect(told).toContain('*aging WEB* will be told every Monday at 09:00 (UTC) in <#C0GENERAL>.');
    expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Mon 6 Apr 09:00 (UTC).');
    // Nobody else is told of it.
    expect(world.slack.messages({ channel: 'general', as: 'ben' })).toEqual([]);
  });

  test('a first day that stays is told when it is made, with what moves along', async () => {
    const fixed = 'It always begins with the same day, so each time it covers more days. `last 30 days`';
    expect(await make('/tis digest WEB since 2026-03-01 every monday at 9')).toContain(fixed);
    expect(await make('/tis digest WEB last 30 days every monday at 9')).not.toContain('stays');
  });

  test('the list shows it with what can be done, to its owner with buttons and to others without', async () => {
    await make();
    const [mine] = await world.asks('/tis digest');
    expect(mine?.text).toContain('*aging WEB*: open work of project WEB');
    expect(mine?.text).toContain('not told yet');
    for (const name of ['preview', 'pause', 'edit', 'hand-over', 'delete']) {
      expect(JSON.stringify(mine?.blocks)).toContain(`digest-${name}`);
    }
    await world.slack.types('/tis digest list', { as: 'ben' });
    const others = await world.slack.reply();
    expect(others.text).toContain('of Ada Quist');
    expect(JSON.stringify(others.blocks)).not.toContain('digest-delete');
    await world.slack.types('/tis digest list', { as: 'ben', in: 'web-team' });
    expect((await world.slack.reply()).text).toContain('There are no digests here.');
  });

  test('the preview shows exactly what would be posted, and whether it would be', async () => {
    await make();
    await world.asks('/tis digest');
    const [lead, message] = await press('digest-preview', 2);
    expect(lead?.text).toBe('This is what everybody in the channel would read now:');
    expect(message?.text).toMatch(/^Digest aging WEB · as of 2026-03-18 12:00 UTC\. /);
    expect(message?.onlyFor).toBe('U0ADA');
  });

  test('it rests, goes on, and is deleted', async () => {
    await make();
    await world.asks('/tis digest');
    expect(textOf(await press('digest-pause'))).toContain('rests until somebody resumes it');
    expect(textOf(await world.asks('/tis digest'))).toContain('paused');
    expect(textOf(await press('digest-resume'))).toContain('goes on: next Mon 23 Mar 09:00 (UTC)');
    await world.asks('/tis digest');
    expect(textOf(await press('digest-delete'))).toContain('is deleted');
    expect(textOf(await world.asks('/tis digest'))).toContain('There are no digests here.');
  });

  test('it is changed in a form that knows what it is', async () => {
    await make();
    await world.asks('/tis digest');
    await world.slack.clicks('digest-edit');
    await world.slack.modal();
    const { blocks } = await world.slack.modal();
    expect(JSON.stringify(blocks)).toContain('every Monday at 09:00');
    const refused = await world.slack.submits({ when: 'every blue moon' });
    expect(JSON.stringify(refused)).toContain('blue moon');
    await world.slack.submits({ when: 'every weekday at 8', title: 'Each morning' });
    await world.slack.modal();
    await world.slack.modal();
    expect(textOf(await world.asks('/tis digest'))).toContain('*Each morning*');
  });

  test('a new one is made in a form, for its owner alone', async () => {
    await world.slack.types('/tis digest new');
    await world.slack.modal();
    await world.slack.modal();
    await world.slack.submits({
      question: 'weekly WEB',
      when: 'every friday at 16:00',
      place: 'owner',
    });
    await world.slack.modal();
    await world.slack.modal();
    expect(textOf(await world.asks('/tis digest'))).toContain('every Friday at 16:00 (UTC) to you alone');
  });

  test('it is handed over, and both sides are told', async () => {
    await make();
    await world.asks('/tis digest');
    await world.slack.clicks('digest-hand-over');
    await world.slack.modal();
    await world.slack.submits({ owner: 'U0BEN' });
    expect((await world.slack.reply()).text).toContain('has handed the digest *aging WEB* over to you');
    expect(textOf(await world.asks('/tis digest'))).toContain('of Ben Okoro');
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['/tis digest aging WEB every monday at 9', 'quiet', 'I am not in this channel. Type `/invite @Dwell`'],
    ['/tis digest mine every monday at 9', 'general', 'What waits on you is for you alone. Try: to me.'],
    ['/tis digest mine every monday at 9 to me', 'general', 'I do not know who you are in the tracker'],
    ['/tis digest aging WEB cron */5 * * * *', 'general', 'more often than once an hour'],
    ['/tis digest aging WEB cron 0 9 30 2 *', 'general', 'never fires'],
    ['/tis digest aging WEB every 2 weeks', 'general', 'does not count weeks'],
    ['/tis digest aging NOPE every monday', 'general', 'NOPE'],
    ['/tis digest aging WEB with xlsx', 'general', 'When it is to be told is missing'],
    ['/tis digest <!channel> every monday', 'general', 'No digest was made.'],
    ['/tis digest weekly WEB 2026-W10 every monday', 'general', 'one week each time. Try: last week'],
    [
      '/tis digest WEB since monday every monday',
      'general',
      "'since monday' would be the same day each time",
    ],
    ['/tis digest WEB since 3 days ago every day', 'general', 'Try: last 7 days, last week'],
    ['/tis digest WEB between 1 mar and 5 mar every day', 'general', 'Try: last 7 days, last week'],
    ['/tis digest compare WEB with APP since yesterday every day', 'general', "'since yesterday' would be"],
    ['/tis digest aging WEB every second monday', 'general', 'can mean two things'],
  ];

  test('what cannot be told again and again is refused with what to do', async () => {
    for (const [line, channel, sentence] of refused) {
      await world.slack.types(line, { in: channel });
      const reply = await world.slack.reply();
      const text = reply.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      expect([line, text]).toEqual([line, expect.stringContaining(sentence)]);
      expect(JSON.stringify(reply.blocks)).not.toContain('"mrkdwn","text":"<!channel>');
    }
    expect(textOf(await world.asks('/tis digest list'))).toContain('There are no digests here.');
  });

  test('in the conversation with the app it is for its owner', async () => {
    await world.slack.types('/tis digest aging WEB every weekday at 9', { in: 'dm' });
    expect((await world.slack.reply()).text).toContain('(Europe/Berlin) to you alone');
  });

  test('a zone behind the schedule is that of its weeks as well, when it is made and when it is changed', async () => {
    await make('/tis digest weekly WEB every monday at 0:30 in Asia/Tokyo');
    await world.asks('/tis digest');
    // Monday has begun in Tokyo, and in Berlin it has not.
    world.dwell.clock.now = Date.parse('2026-03-22T16:00:00Z');
    const previewed = async () => (await press('digest-preview', 2))[1]?.text;
    expect(await previewed()).toContain('16–22 Mar');
    await world.slack.clicks('digest-edit');
    await world.slack.modal();
    await world.slack.modal();
    await world.slack.submits({ zone: 'Europe/Berlin' });
    await world.slack.modal();
    await world.slack.modal();
    expect(await previewed()).toContain('9–15 Mar');
  });

  test('what falls on a day off is told to come on the next working day', async () => {
    const told = await make('/tis digest aging WEB every saturday at 9 on working days of Berlin');
    expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Tue 7 Apr 09:00 (UTC).');
    expect(textOf(await world.asks('/tis digest'))).toContain('next Mon 23 Mar 09:00 (UTC)');
  });

  test('a zone behind the time needs no word before it, and is the one clock of the answer', async () => {
    const told = await make('/tis digest aging WEB every monday at 9 europe/berlin');
    expect(told).toContain('every Monday at 09:00 (Europe/Berlin)');
    expect(told).toContain('Next: Mon 23 Mar 09:00, Mon 30 Mar 09:00, Mon 6 Apr 09:00 (Europe/Berlin).');
    expect(told).not.toContain('<!date');
    expect(await make('/tis digest aging WEB every monday at 9 europe/berln')).toContain(
      'Did you mean Europe/Berlin?',
    );
  });

  test('a second one of the same question, place and times says so', async () => {
    expect(await make()).not.toContain('already');
    expect(await make()).toContain('You already have a digest of the same question here, at the same times');
    expect(await make('/tis digest aging WEB every tuesday at 9')).not.toContain('already');
    await world.slack.types('/tis digest aging WEB every monday at 9', { as: 'ben' });
    expect((await world.slack.reply()).text).toContain('Ada Quist already has a digest of the same question');
  });

  test('what is done to a digest, typed alone, names the buttons', async () => {
    for (const word of ['pause', 'edit', 'delete']) {
      expect(await make(`/tis digest ${word}`)).toBe(
        'Each digest has its buttons in the list: `/tis digest`.',
      );
    }
  });

  test('it is moved to another channel, if the app is in it', async () => {
    await make();
    await world.asks('/tis digest');
    await world.slack.clicks('digest-edit');
    await world.slack.modal();
    await world.slack.modal();
    await world.slack.submits({ channel: 'C0QUIET' });
    await world.slack.modal();
    expect(JSON.stringify(await world.slack.modal())).toContain('I am not in this channel');
    await world.slack.submits({ channel: 'C0WEBTEAM' });
    await world.slack.modal();
    await world.slack.modal();
    expect(textOf(await world.asks('/tis digest'))).toContain('in <#C0WEBTEAM>');
  });

  test('help tells of digests', async () => {
    expect(await make('/tis digest help')).toContain('an answer that comes by itself');
  });

  test('only admins of the tracker see all digests', async () => {
    await make();
    await world.slack.types('/tis digest all', { as: 'ben' });
    expect((await world.slack.reply()).text).toContain('admins of the tracker only');
  });
});
