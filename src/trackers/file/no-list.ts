import { BrokenJson } from './broken-json.ts';

/** The text is JSON, and none of it is a list whose elements are handed out. */
export class NoList extends BrokenJson {
  constructor() {
    super('the file holds no list of issues');
    this.name = 'NoList';
  }
}
