/** The text is no list in JSON beyond some byte; every element before it has been handed out. */
export class BrokenJson extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenJson';
  }
}
