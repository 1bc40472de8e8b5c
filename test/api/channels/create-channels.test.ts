import { beforeEach, describe, expect, test } from '#jest';
import { type ChannelsApi, createChannels } from '../../../src/api/channels/create-channels.ts';
import { inMemory } from '../../../src/cache/namespace.ts';
import { aCalendar } from '../../time/a-calendar.ts';

let channels: ChannelsApi;
beforeEach(() => {
  const calendars = [
    aCalendar({ id: null, name: 'normalHours' }),
    aCalendar({ id: 101, name: 'Berlin office' }),
    aCalendar({ id: 102, name: '103' }),
  ];
  channels = createChannels({
    stored: inMemory,
    settings: { calendars: async () => calendars },
    tenant: 'default',
    now: () => 42,
  });
});

describe('a channel', () => {
  test('for which nobody chose has nothing, and is not listed', async () => {
    expect(await channels.channel('C1')).toEqual({
      channel: 'C1',
      timeZone: null,
      calendar: null,
      projects: null,
      unfurls: false,
      changedBy: null,
      changedAt: null,
    });
    expect(await channels.channels()).toEqual([]);
  });

  test('keeps what was chosen, by whom and when, and what was chosen before', async () => {
    await channels.changeChannel('C1', { timeZone: 'Asia/Kathmandu' }, 'U1');
    const changed = await channels.changeChannel('C1', { unfurls: true }, 'U2');
    expect(changed).toEqual({
      channel: 'C1',
      timeZone: 'Asia/Kathmandu',
      calendar: null,
      projects: null,
      unfurls: true,
      changedBy: 'U2',
      changedAt: 42,
    });
    expect(await channels.channel('C1')).toEqual(changed);
    expect(await channels.channels()).toEqual([changed]);
  });

  test.each([
    ['berlin OFFICE', '101'],
    [' 101 ', '101'],
    ['normalhours', 'normalHours'],
    ['103', '102'],
  ])('knows the calendar %j by its id', async (asked, calendar) => {
    expect(await channels.changeChannel('C1', { calendar: asked }, 'U1')).toMatchObject({ calendar });
  });

  test('refuses a calendar or a zone that nobody knows, and changes nothing', async () => {
    await channels.changeChannel('C1', { calendar: '101' }, 'U1');
    await expect(channels.changeChannel('C1', { calendar: 'Mars' }, 'U2')).rejects.toMatchObject({
      reason: 'unknown-name',
      data: { value: 'Mars', known: ['normalHours', '101', '102'] },
      details: ["calendar 'Mars' is not known. Try: normalHours, 101 or Berlin office, 102 or 103."],
    });
    await expect(channels.changeChannel('C1', { timeZone: '+02:00' }, 'U2')).rejects.toMatchObject({
      code: 'bad-request',
      details: ["timeZone '+02:00' is not an IANA time zone. Try: names such as Europe/Berlin."],
    });
    expect(await channels.channel('C1')).toMatchObject({ calendar: '101', timeZone: null, changedBy: 'U1' });
  });

  test('has each project once, in order and upper case, for guests only where nothing else is said', async () => {
    const projects = [
      { key: 'web', withGuests: true },
      { key: ' App ', withGuests: true },
      { key: 'WEB', withGuests: false },
    ];
    expect((await channels.changeChannel('C1', { projects }, 'U1')).projects).toEqual([
      { key: 'APP', withGuests: true },
      { key: 'WEB', withGuests: false },
    ]);
  });

  test('tells a list without projects from none, and goes back to nothing chosen', async () => {
    expect((await channels.changeChannel('C1', { projects: [] }, 'U1')).projects).toEqual([]);
    const nothing = { projects: null, calendar: null, timeZone: null };
    expect(await channels.changeChannel('C1', nothing, 'U1')).toMatchObject(nothing);
  });
});

describe('a person', () => {
  test('who chose nothing has no preferences', async () => {
    expect(await channels.preferences('U1')).toEqual({ account: 'U1', projects: null, calendar: null });
  });

  test('keeps what they chose, and what they chose before', async () => {
    await channels.changePreferences('U1', { projects: ['web', 'app', 'WEB'] });
    const kept = { account: 'U1', projects: ['APP', 'WEB'], calendar: '101' };
    expect(await channels.changePreferences('U1', { calendar: 'Berlin office' })).toEqual(kept);
    expect(await channels.preferences('U1')).toEqual(kept);
    expect(await channels.changePreferences('U1', { projects: null })).toMatchObject({ projects: null });
    expect(await channels.preferences('U2')).toMatchObject({ projects: null });
  });

  test('is told which calendars there are', async () => {
    await expect(channels.changePreferences('U1', { calendar: 'Mars' })).rejects.toMatchObject({
      code: 'bad-request',
    });
  });
});
