package dev.volary.crd;

/**
 * A place in a text file; both numbers count from one.
 *
 * @param line the line
 * @param column the character within the line
 */
public record Position(int line, int column) {
    @Override
    public String toString() {
        return line + ":" + column;
    }
}
