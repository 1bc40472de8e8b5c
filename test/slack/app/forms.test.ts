import { z } from 'zod';
import { describe, expect, test } from '#jest';
import { AppError, about } from '../../../src/model/error.ts';
import { defineForm, field } from '../../../src/slack/app/define-form.ts';
import { entered, input } from '../../../src/slack/app/form-inputs.ts';
import type { Submission } from '../../../src/slack/app/handler-types.ts';
import { context } from '../../../src/slack/blocks/mrkdwn.ts';
import { until } from '../../support/local-exports.ts';
import { principalOf } from '../../support/principal-of.ts';
import { startDwellInSlack } from '../../support/start-slack.ts';
import { startedEach } from '../../support/started.ts';

describe('a form with something wrong', () => {
  const world = startedEach(() => startDwellInSlack());

  /** The blocks of the open form once they hold a text. */
  const blocksWith = (text: string) =>
    until(() => {
      const blocks = world.slack.openModals().at(-1)?.blocks ?? [];
      return JSON.stringify(blocks).includes(text) ? blocks : null;
    });

  /** What an input begins with, by the `block_id`. */
  const filled = (blocks: Awaited<ReturnType<typeof blocksWith>>) =>
    Object.fromEntries(blocks.map(({ block_id: id, element }) => [id, element]));

  test('stays open, with each sentence at its field', async () => {
    await world.slack.types('/tis digest new');
    await blocksWith('Time zone');
    const typed = {
      question: 'weekly WEB',
      when: 'every blue moon',
      zone: 'Mars',
      place: 'channel',
      channel: '',
    };
    const { errors } = await world.slack.submits(typed);
    expect(errors).toEqual({
      when: expect.stringContaining('blue moon'),
      zone: expect.stringContaining('Mars'),
      channel: 'Choose a channel.',
    });
  });

  test('comes back with the sentence below the field that it names, and with all that was typed', async () => {
    await world.slack.types('/tis watch new');
    await blocksWith('Longer than');
    await world.slack.submits({ threshold: '2 hours', filter: 'project NOWHERE', tells: 'owner' });
    const blocks = await blocksWith('⚠');
    const at = blocks.findIndex(({ block_id: id }) => id === 'filter');
    expect(blocks[at + 1]).toMatchObject({
      type: 'section',
      text: { text: expect.stringContaining('NOWHERE') },
    });
    expect(filled(blocks)).toMatchObject({
      threshold: { initial_value: '2 hours' },
      filter: { initial_value: 'project NOWHERE' },
      tells: { initial_option: { value: 'owner' } },
    });
    await world.slack.submits({ filter: 'WEB' });
    expect(JSON.stringify(await blocksWith('Watching'))).toContain('longer than 2 hours, in WEB');
  });

  test('comes back with the sentence above it where no field is named', async () => {
    await world.slack.types('/tis watch new');
    await blocksWith('Longer than');
    await world.slack.submits({ threshold: 'ages', filter: 'WEB' });
    const blocks = await blocksWith(':warning:');
    expect(blocks[0]).toMatchObject({
      text: { text: expect.stringMatching(/^:warning: .*"ages" as a time/) },
    });
    expect(filled(blocks)).toMatchObject({
      threshold: { initial_value: 'ages' },
      filter: { initial_value: 'WEB' },
    });
  });
});

describe('a form', () => {
  const form = defineForm({
    ...{ id: 'trip', title: 'Trip', submit: 'Book', refused: 'Nothing was booked.' },
    carried: z.object({ count: z.number(), stop: z.string() }),
    carry: ({ count, stop }) => ({ count, stop }),
    generation: ({ count }) => count,
    reads: { stop: z.enum(['Kiel', 'Bonn']), days: z.coerce.number().default(1), note: entered.text },
    rows: ({ days }, isLong: boolean) => [
      field('stop', 'Stop', input.text(), { about: ['stopId', 'city'] }),
      ...(isLong ? [field('days', 'Days', input.menu([]), { about: ['days'] })] : [context('A short one.')]),
      field('note', 'Note', input.text({ maxLength: 5 })),
      context(`${days} days.`),
    ],
  });
  const values = { count: 3, stop: 'Kiel', days: 2, note: '' } as const;
  const nothing = { chosen: {}, chosenAll: {}, accounts: {}, instants: {}, texts: {} };
  const metadata = JSON.stringify({ count: 3, stop: 'Kiel' });

  test('reads what was entered; what is missing or unreadable is as it was carried, else its default', () => {
    expect(form.read({ ...nothing, metadata })).toEqual({ count: 3, stop: 'Kiel', days: 1, note: '' });
    const texts = { stop: 'Bonn', days: '7', note: 'x' };
    expect(form.read({ ...nothing, texts, metadata })).toEqual({
      count: 3,
      stop: 'Bonn',
      days: 7,
      note: 'x',
    });
    const unreadable = { stop: 'Rome', days: 'some' };
    expect(form.read({ ...nothing, texts: unreadable, metadata })).toMatchObject({ stop: 'Kiel', days: 1 });
  });

  test('cuts a text to its field', () => {
    expect(JSON.stringify(form.view({ ...values, note: 'abcdefgh' }, false))).toContain('"abcd…"');
  });

  /** The blocks of a form that comes back, in short: sentences, and ids of inputs. */
  function again(error: AppError, isLong = true) {
    const { text, again: view } = form.again(values, isLong, error);
    const blocks = view?.blocks.map((block) => {
      const [, sentence] = /"text":"((?::warning:|⚠)[^"]*)"/.exec(JSON.stringify(block)) ?? [];
      return sentence ?? block.block_id ?? block.type;
    });
    return { text, blocks };
  }

  test('comes back with each sentence of an error at the field that it names', () => {
    const details = [about('stopId', 'is gone. Try: Bonn.'), about('days', 'are too many.'), 'Go later.'];
    expect(again(new AppError('invalid-value', 'Bad request', details))).toEqual({
      text: 'Nothing was booked. Stop: is gone. Try: Bonn. Days: are too many. Go later.',
      blocks: [
        ':warning: Go later.',
        'stop.3',
        '⚠ Is gone. Try: Bonn.',
        'days.3',
        '⚠ Are too many.',
        'note.3',
        'context',
      ],
    });
    const sentence = 'There is no such city.';
    for (const facts of [{ fields: { stopId: sentence } }, { data: { kind: 'city' } }])
      expect(again(new AppError('unknown-name', 'Bad request', [sentence], facts)).blocks).toEqual([
        ...['stop.3', `⚠ ${sentence}`, 'days.3', 'note.3', 'context'],
      ]);
  });

  test('has above it what names no field, or one that is not shown', () => {
    expect(
      again(new AppError('invalid-value', 'Bad request', [about('days', 'are too many.')]), false),
    ).toEqual({
      text: 'Nothing was booked. Days are too many.',
      blocks: [':warning: Days are too many.', 'stop.3', 'context', 'note.3', 'context'],
    });
    const unavailable = new AppError('service-unavailable', 'No trains', ['They strike.'], {
      fields: { stopId: '-' },
    });
    expect(again(unavailable).text).toBe('Nothing was booked. No trains: They strike.');
    expect(again(new AppError('invalid-value', 'Twice <!here>.')).text).toBe(
      'Nothing was booked. Twice &lt;!here&gt;.',
    );
  });

  describe('submitted', () => {
    const typed = { ...nothing, texts: { stop: 'Bonn', note: 'early' }, metadata };
    const submission: Submission = { ...typed, principal: principalOf('ada'), userName: 'Ada' };
    const submit = (error: Error, choices: () => Promise<boolean>) =>
      form
        .modal<undefined>({
          meanwhile: 'Booking…',
          placeOf: () => ({ channel: 'C0WEB', threadTs: null }),
          answer: () => Promise.reject(error),
          choices,
        })
        .answer(submission, undefined);
    const full = new AppError('too-many-digests', 'Too many trips', ['Cancel one first.']);

    test('comes back with what was typed for any failure that has a reason', async () => {
      const { again: view } = await submit(full, async () => false);
      expect(JSON.stringify(view)).toContain(':warning: Too many trips: Cancel one first.');
      expect(view && form.read({ ...nothing, metadata: view.private_metadata ?? '' }).stop).toBe('Bonn');
    });

    test('fails as it did where its choices are away as well, and with a fault of ours', async () => {
      await expect(submit(full, () => Promise.reject(new Error('away')))).rejects.toBe(full);
      const fault = new TypeError('fault');
      await expect(submit(fault, async () => false)).rejects.toBe(fault);
    });
  });
});
