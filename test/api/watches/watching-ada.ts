import { millisecondsInDay, millisecondsInMinute } from 'date-fns/constants';
import type { WatchStore } from '../../../src/api/watches/recipients.ts';
import type { WatchInput } from '../../../src/model/watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  adaWatching,
  aRecordingNotifier,
  aWatchedWorld,
  aWatchOffice,
  MONDAY_NOON,
  reviewTooLong,
  type WatchedWorld,
} from '../../support/watch-office.ts';

/** The world of a test, in which Ada watches. */
export let world: WatchedWorld;
let dataDir: string;
/** What people were told in it. */
export let told: ReturnType<typeof aRecordingNotifier>;
/** The processes that watch it. */
export let offices: Awaited<ReturnType<typeof aWatchOffice>>[];
/** To be called before each test. */
export function beginWorld(): void {
  world = aWatchedWorld();
  dataDir = temporaryFolder();
  told = aRecordingNotifier(world);
  offices = [];
}
/** To be called after each. */
export function endWorld(): void {
  for (const office of offices) office.close();
}

/** Another process. */
export async function opens(changeStore: (store: WatchStore) => WatchStore = (store) => store) {
  const office = await aWatchOffice(world, dataDir, { changeStore });
  office.watches.start(told.notifier);
  offices.push(office);
  return office;
}

/** Ada watches before anything waits. */
export async function watching(wish: Partial<WatchInput> = {}) {
  const office = await opens();
  const { watch } = await office.watches.create(adaWatching, { ...reviewTooLong, ...wish });
  return { ...office, id: watch.id };
}

/** Time passes, in steps. */
export async function passes(ms: number, step = 5 * millisecondsInMinute) {
  for (let passed = 0; passed < ms; passed += step) {
    world.now += step;
    await Promise.all(offices.map(({ watches }) => watches.tick()));
  }
}

/** The messages about an issue, the keys of each message, and when they came. */
export const heardOf = (key: string) => told.heard.filter(({ keys }) => keys.includes(key));

export const heardKeys = () => told.heard.map(({ keys }) => keys);
export const heardAt = () => told.heard.map(({ at }) => new Date(at).toISOString());

/** The instant that many days before a test begins. */
export const daysAgo = (days: number) => MONDAY_NOON - days * millisecondsInDay;
