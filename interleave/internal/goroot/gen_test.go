package goroot
import ("testing";"os";"runtime")
func TestGen(t *testing.T){
 dir:=os.Getenv("GEN"); if dir=="" {t.Skip()}
 o,err:=Make(runtime.GOROOT()); if err!=nil{t.Fatal(err)}
 f,err:=o.Set.Write(dir); t.Log(f,err,o.Digest)
}
