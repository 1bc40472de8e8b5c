/** Thrown where a turn ends early and nothing is wrong: we are to stop, or another process has taken over. */
export class Interrupted extends Error {
  constructor(why: 'stopped' | 'taken over') {
    super(why);
    this.name = 'Interrupted';
  }
}
