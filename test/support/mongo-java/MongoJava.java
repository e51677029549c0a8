import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Serves on a free port of the loopback, prints its URL, and ends with whoever started it: when its input does. */
class MongoJava {
  /** By itself it reports a version that the driver refuses. */
  record Version(List<Integer> getVersionArray, int getWireVersion) implements MongoVersion {}

  public static void main(String[] arguments) throws Exception {
    var backend = new MemoryBackend();
    backend.version(new Version(List.of(5, 0, 0), 13));
    System.out.println(new MongoServer(backend).bindAndGetConnectionString());
    while (System.in.read() >= 0);
    System.exit(0);
  }
}
