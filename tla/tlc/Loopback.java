import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.Arrays;

/** Runs a class whose remote objects listen on the loopback alone: no property of Java does that. */
public class Loopback extends RMISocketFactory {
  public static void main(String[] args) throws Exception {
    setSocketFactory(new Loopback());
    Class.forName(args[0]).getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
  }

  @Override public Socket createSocket(String host, int port) throws IOException {
    return new Socket(host, port);
  }

  @Override public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
  }
}
