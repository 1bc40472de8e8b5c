import { AppError } from '../../model/error.ts';

/** What was found, or in a sentence why it cannot be told at the moment. */
export type Told<Value> =
  | { readonly value: Value; readonly untold: null }
  | { readonly value: null; readonly untold: string };

/** Waits for what may be unavailable for a while, which is to take nothing else with it. Any other failure is passed on. */
export async function asFarAsTold<Value>(found: Promise<Value>): Promise<Told<Value>> {
  try {
    return { value: await found, untold: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    return { value: null, untold: [error.message, ...error.details].join(' ') };
  }
}
