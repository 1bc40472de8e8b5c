import fc from 'fast-check';
import { expect, test } from '#jest';
import { AppError } from '../../../src/model/error.ts';
import { readDigestWords } from '../../../src/slack/digests/read-digest-words.ts';
import { readSchedule } from '../../../src/slack/digests/read-schedule.ts';
import { writtenSchedule } from '../../../src/slack/digests/written-schedule.ts';
import { whyNoSchedule } from '../../../src/time/cron.ts';
import { scheduleWords } from '../../../src/time/cron-words.ts';
import { runs } from '../../support/soak.ts';

test.each([
  ['every monday at 9', '0 9 * * 1', 'every Monday at 09:00'],
  ['every Monday', '0 9 * * 1', 'every Monday at 09:00'],
  ['every day at 17:30', '30 17 * * *', 'every day at 17:30'],
  ['every weekday at 9am', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['every working day at 5 pm', '0 17 * * 1-5', 'every weekday at 17:00'],
  ['every monday and thursday at noon', '0 12 * * 1,4', 'every Monday and Thursday at 12:00'],
  ['every mon, wed and fri at 8.15', '15 8 * * 1,3,5', 'every Monday, Wednesday and Friday at 08:15'],
  ['on fridays at 16:00', '0 16 * * 5', 'every Friday at 16:00'],
  ['every sunday at 12am', '0 0 * * 7', 'every Sunday at 00:00'],
  ['every week at 9', '0 9 * * 1', 'every Monday at 09:00'],
  ['on the first of the month at 9', '0 9 1 * *', 'every month on the 1st at 09:00'],
  ['every month on the 22nd at 9', '0 9 22 * *', 'every month on the 22nd at 09:00'],
  ['every last day of the month at 9', '0 9 L * *', 'every last day of the month at 09:00'],
  ['every last friday at noon', '0 12 * * 5L', 'every last Friday of the month at 12:00'],
  ['every first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
  ['every hour', '0 * * * *', 'every hour'],
  ['daily at 9', '0 9 * * *', 'every day at 09:00'],
  ['weekdays at 9', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['every monday 9am', '0 9 * * 1', 'every Monday at 09:00'],
  ['every friday 17:30', '30 17 * * 5', 'every Friday at 17:30'],
  ['every day at midnight', '0 0 * * *', 'every day at 00:00'],
  ['every monday to friday at 9', '0 9 * * 1-5', 'every weekday at 09:00'],
  ['every mon-wed at 9', '0 9 * * 1-3', 'every Monday to Wednesday at 09:00'],
  ['every friday to monday at 9', '0 9 * * 1,5,6,7', 'every Monday, Friday, Saturday and Sunday at 09:00'],
  ['every 1st monday', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
  ['first monday of the month at 9', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
  ['on the first monday of every month', '0 9 * * 1#1', 'every first Monday of the month at 09:00'],
  ['every second monday of the month', '0 9 * * 1#2', 'every second Monday of the month at 09:00'],
  ['every month on the 1st', '0 9 1 * *', 'every month on the 1st at 09:00'],
  ['cron 0 9 * * mon-fri', '0 9 * * MON-FRI', 'at 09:00, Monday through Friday'],
])('%s is read and told back', (typed, cron, words) => {
  expect(readSchedule(typed)).toBe(cron);
  expect(whyNoSchedule({ cron, timeZone: 'UTC' })).toBeNull();
  expect(scheduleWords(cron)).toBe(words);
  expect(readSchedule(writtenSchedule(cron))).toBe(cron);
});

test.each([
  ['every 2 weeks at 9', 'does not count weeks'],
  ['every other monday', 'can mean two things. Try: `on the second Monday of the month`'],
  ['every second monday at 9', 'or `every Monday`, for weeks are not counted here'],
  ['every 2nd tue', 'can mean two things'],
  ['every monday at 25', "time '25' is not known. Try: `9`"],
  ['every monday at 13pm', "time '13pm'"],
  ['every blue moon', "'every blue moon' is not known. Try: `every day at 9`"],
  ['every month on the 32nd', 'is not known'],
])('%s is refused with what is allowed', (typed, sentence) => {
  expect(() => readSchedule(typed)).toThrow(
    expect.objectContaining({ code: 'bad-request', details: [expect.stringContaining(sentence)] }),
  );
});

test.each([
  ['weekly WEB every monday at 9', { question: 'weekly WEB', cron: '0 9 * * 1' }],
  [
    'project WEB last 30 days by assignee every weekday at 9:30 to me in Europe/Berlin with xlsx',
    {
      question: 'project WEB last 30 days by assignee',
      cron: '30 9 * * 1-5',
      place: 'owner',
      timeZone: 'Europe/Berlin',
      file: 'xlsx',
    },
  ],
  [
    'mine every day with a csv file here',
    { question: 'mine', place: 'here', file: 'csv', cron: '0 9 * * *' },
  ],
  [
    'weekly WEB every monday at 9 on working days of Office in Berlin here',
    { workingDays: 'Office in Berlin', timeZone: null, place: 'here' },
  ],
  ['weekly WEB every monday at 9 on working days in berlin', { workingDays: '', timeZone: 'Europe/Berlin' }],
  ['jql text ~ "every day" cron 0 9 * * 1 here', { question: 'jql text ~ "every day"', cron: '0 9 * * 1' }],
  ['aging WEB daily at 9 to me', { question: 'aging WEB', cron: '0 9 * * *', place: 'owner' }],
  ['aging WEB weekdays at 9', { question: 'aging WEB', cron: '0 9 * * 1-5' }],
  ['aging WEB mondays 9am', { question: 'aging WEB', cron: '0 9 * * 1' }],
  ['aging WEB first monday of the month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
  ['aging WEB on the first monday of every month', { question: 'aging WEB', cron: '0 9 * * 1#1' }],
  ['aging WEB every month on the last day of the month', { question: 'aging WEB', cron: '0 9 L * *' }],
  ['weekly DAILY every first monday of the month', { question: 'weekly DAILY', cron: '0 9 * * 1#1' }],
  ['aging WEB on the last friday at 9', { question: 'aging WEB', cron: '0 9 * * 5L' }],
])('%s is taken apart', (typed, expected) => {
  expect(readDigestWords(typed)).toMatchObject(expected);
});

test.each([
  ['weekly WEB', 'When it is to be told is missing'],
  ['every monday at 9', 'What is to be told is missing'],
  ['weekly WEB every monday at 9 with pdf', "file 'pdf' is not known. Try: with xlsx"],
  ['weekly WEB every monday at 9 in Europe/Berln', "zone 'Europe/Berln' is not known"],
  ['weekly WEB every monday at 9 here to me', 'said twice'],
])('%s is refused with what is missing', (typed, sentence) => {
  expect(() => readDigestWords(typed)).toThrow(
    expect.objectContaining({ details: expect.arrayContaining([expect.stringContaining(sentence)]) }),
  );
});

test('whatever is typed is a digest or a refusal that says something', () => {
  const word = fc.constantFrom(
    ...'weekly WEB every cron on the last first monday at 9 in to me here with xlsx working days of * 0 <!channel>'.split(
      ' ',
    ),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
      try {
        readDigestWords(words.join(' '));
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
        if (error instanceof AppError) expect(error.details.join('').length).toBeGreaterThan(10);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('whatever cron allows is told in words, and can be written back', () => {
  const field = (from: number, to: number) =>
    fc.oneof(fc.constant('*'), fc.integer({ min: from, max: to }).map(String));
  fc.assert(
    fc.property(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7), (...fields) => {
      const cron = fields.join(' ');
      expect(scheduleWords(cron)).not.toContain('undefined');
      const read = readSchedule(writtenSchedule(cron));
      expect(read.replace(/7$/, '0')).toBe(cron.replace(/7$/, '0'));
    }),
    { numRuns: runs(300) },
  );
});
