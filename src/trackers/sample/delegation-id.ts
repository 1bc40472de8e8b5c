import type { Instant } from '../../model/issue.ts';

/** Ids stay below 100,001, where those of delegations begin that were set in Dwell: for 166 years. */
const SLOTS = 50;
const FIRST_YEAR = 2000;

/** Months are counted from January 2000; `day` is a UTC midnight. */
export function monthOf(day: Instant): number {
  const date = new Date(day);
  return (date.getUTCFullYear() - FIRST_YEAR) * 12 + date.getUTCMonth();
}

/** The UTC midnight of a day of such a month. */
export function dayOf(month: number, day: number): Instant {
  return Date.UTC(FIRST_YEAR, month, day);
}

/** Id of a delegation by the month it begins in and its slot, from 1 to 50; the same on whatever day it is told. */
export function delegationId(month: number, slot: number): number {
  return month * SLOTS + slot;
}
