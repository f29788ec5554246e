/** The parts of pdfkit and bidi-js that invoices use; neither has typings of its own. */
declare module 'pdfkit' {
  export default class PDFDocument {
    constructor(options: {
      size: 'A4';
      margin: number;
      lang: string;
      bufferPages: boolean;
      info: { Title: string; Author: string; CreationDate: Date; ModDate: Date };
    });
    registerFont(name: string, file: string): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string): number;
    fillColor(color: string): this;
    text(text: string, x: number, y: number, options: { lineBreak: false }): this;
    markContent(tag: 'Span', options: { actual: string }): this;
    endMarkedContent(): this;
    rect(x: number, y: number, width: number, height: number): this;
    fill(color: string): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    lineWidth(width: number): this;
    stroke(color: string): this;
    addPage(): this;
    bufferedPageRange(): { start: number; count: number };
    switchToPage(index: number): void;
    on(event: 'data', listener: (chunk: Buffer) => void): this;
    on(event: 'end', listener: () => void): this;
    end(): void;
  }
}

declare module 'bidi-js' {
  export type EmbeddingLevels = { levels: Uint8Array };
  export default function bidiFactory(): {
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl'): EmbeddingLevels;
    getMirroredCharacter(character: string): string | null;
  };
}
